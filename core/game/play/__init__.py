"""A game in play: turns, life points, eliminations, High Noon."""
