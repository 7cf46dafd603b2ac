"""Nights played by bots, many of them; no rule is decided here."""
