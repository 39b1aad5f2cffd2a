"""A game in play: turns, life points, eliminations and High Noon."""
