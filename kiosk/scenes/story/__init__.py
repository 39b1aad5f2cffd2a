"""Scenes that look things up: the story of the game, its chart, the rules."""
