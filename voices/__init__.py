"""What is said and what may be said, by language; data only."""
