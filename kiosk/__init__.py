"""The touchscreen app for a table."""
