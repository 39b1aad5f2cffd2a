"""The clocks of a table."""
