"""Scenes before the game: seats, roles, characters."""
