"""The terminal's connection, updates and transfers."""
