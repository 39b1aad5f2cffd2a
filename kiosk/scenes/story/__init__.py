"""Scenes for information: the game's story, its chart, the rules."""
