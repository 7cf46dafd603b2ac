"""Earcons, ambience and music."""
