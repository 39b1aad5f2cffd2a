"""A game in play: the auction of characters, turns, life points, eliminations and High Noon."""
