"""Parcels: entries that travel without a connection."""
