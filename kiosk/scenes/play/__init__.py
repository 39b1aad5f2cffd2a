"""Scenes for the game in play."""
