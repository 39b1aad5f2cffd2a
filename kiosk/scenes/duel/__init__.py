"""Scenes for a duel: each player has half of the screen, turned towards them."""
