"""Diagnosis of a terminal's routes to its station; it changes and disturbs nothing."""
