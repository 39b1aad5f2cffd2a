"""Backups of a station, and encrypted copies of them."""
