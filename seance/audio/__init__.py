"""Sound in and out: PortAudio, microphone, loudspeaker, mixer, resampling, files and levels."""
