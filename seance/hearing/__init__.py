"""From sound to sentence: voice activity, noise reduction, decoding, scoring, rescoring and speaker recognition."""
