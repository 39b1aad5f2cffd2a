"""Scenes of the terminal itself: between games, locked, or with a fault."""
