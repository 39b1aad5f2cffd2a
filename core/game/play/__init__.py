"""The course of a game: the auction of characters, turns, life points, eliminations and High Noon."""
