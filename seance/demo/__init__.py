"""The demonstration: simulated guests play a whole night, heard by the real recogniser."""
