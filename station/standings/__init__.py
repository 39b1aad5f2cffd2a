"""Standings, finals and the ranking."""
