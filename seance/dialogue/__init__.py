"""What people say, and what they meant by it; no sound and no rules here."""
