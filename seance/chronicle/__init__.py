"""The chronicle: a night as a page, Markdown and a picture, from what the room heard, so that it holds no secret."""
