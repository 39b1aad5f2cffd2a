"""Scenes of the auction of characters."""
