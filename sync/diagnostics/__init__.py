"""Diagnosis of a terminal's routes to its station, without side effects."""
