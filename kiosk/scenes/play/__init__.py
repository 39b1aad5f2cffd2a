"""Scenes of the game in play."""
