"""The dialogue: text becomes an intent, and an intent becomes commands to the rules or replies."""
