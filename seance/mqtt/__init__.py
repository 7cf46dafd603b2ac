"""The house's other devices, by MQTT: what the room may know is published, and what the owner allows is taken."""
