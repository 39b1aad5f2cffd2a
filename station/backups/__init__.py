"""Backups of a station, and their encrypted copies for another place."""
