"""Scenes for information: the game's story, its chart and the rules."""
