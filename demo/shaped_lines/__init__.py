"""Simulated serial lines between programs on one machine, with realistic speed, noise and interruptions."""
