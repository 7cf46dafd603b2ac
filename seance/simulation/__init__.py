"""Many nights played by bots, and statistics of how they end."""
