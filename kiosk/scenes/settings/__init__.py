"""Scenes of the terminal's settings."""
