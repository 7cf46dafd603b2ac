"""What the room perceives: lines, cues, voice and sound; no rule is decided here."""
