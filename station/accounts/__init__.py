"""Judges' accounts and their sessions."""
