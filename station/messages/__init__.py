"""Judges' messages to tables."""
