"""The terminal's side of its connection, updates and transfers."""
