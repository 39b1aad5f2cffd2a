"""Imports: players from CSV files, results without a connection."""
