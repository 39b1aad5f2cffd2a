"""The start of a game: seats, roles and characters."""
