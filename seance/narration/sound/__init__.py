"""How speech and other sound is made, kept and mixed; no word of the game is known here."""
