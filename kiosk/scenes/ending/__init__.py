"""Scenes for the end of a game: agreement, roles and record sheet."""
