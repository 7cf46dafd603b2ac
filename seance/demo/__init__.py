"""An invented company that plays a whole night by itself, heard by the real ear; the house does not know of it."""
