"""Terminals on phones and tablets."""
