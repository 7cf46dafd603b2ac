"""Draws how to wire a board, from its board file."""
