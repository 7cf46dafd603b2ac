"""Wood and copper: lights, knocks and buttons; it knows nothing of Mysterium."""
