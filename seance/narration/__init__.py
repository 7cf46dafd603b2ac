"""Events, replies and refusals become cues: lines, knocks, lights and sounds for the room."""
