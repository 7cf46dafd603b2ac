"""The composition root: clocks, randomness, sound, hardware and web server are built here and only here."""
