"""Scenes of the terminal itself: between games, locked, or in trouble."""
