"""The ear: models, microphone, recogniser; it knows nothing of the game."""
