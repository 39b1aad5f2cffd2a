"""The plan of the hall."""
