"""Scenes for the end of a game: agreement, roles, record sheet."""
