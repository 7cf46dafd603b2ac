"""The evening: signals in, cues out, and one owner of the state in between."""
