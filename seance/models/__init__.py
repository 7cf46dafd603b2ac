"""The catalogue of speech models, and how they are found, fetched, verified and installed."""
