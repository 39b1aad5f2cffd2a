"""Imports of players from lists, and of results without a connection."""
