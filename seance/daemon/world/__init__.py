"""The threshold: time, chance, sound and copper are built here and only here; no rule of the game is known."""
