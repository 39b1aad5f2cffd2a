"""The touchscreen app of a table."""
