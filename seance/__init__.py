"""An assistant for nights of Mysterium."""
