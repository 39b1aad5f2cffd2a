"""Calls for a judge."""
