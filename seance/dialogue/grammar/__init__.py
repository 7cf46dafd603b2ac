"""Hassil's sentence templates as graphs of words: matching texts, and the phrases for a recogniser."""
