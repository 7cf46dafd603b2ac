"""Hassil's sentence templates, woven into graphs of words with meanings."""
