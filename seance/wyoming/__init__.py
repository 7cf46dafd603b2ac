"""Voices and recognisers on other machines, by the Wyoming protocol."""
