"""From text to sound: speech engines, voice settings, effects and the cache of rendered lines."""
