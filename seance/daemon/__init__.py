"""All parts as one evening: signals in, cues out, one owner of the state in between."""
