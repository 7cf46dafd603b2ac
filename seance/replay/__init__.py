"""A recorded night, shown again step by step."""
