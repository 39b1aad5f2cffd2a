"""Scenes for the judge at a terminal."""
