"""Scenes for the auction of characters."""
