"""Scenes before the game: seats, roles and characters."""
