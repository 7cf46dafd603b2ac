"""The story of a night, to keep: from what the room heard alone, so that an unfinished night gives no secret away."""
