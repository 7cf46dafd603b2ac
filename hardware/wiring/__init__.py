"""Drawings of how to wire a board, made from its file; nothing here is needed to play."""
