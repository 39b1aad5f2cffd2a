"""Scenes for a judge at the terminal."""
