"""Seasons: points over several tournaments."""
