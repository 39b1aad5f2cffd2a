"""Tournaments: their pages, opening, history, data and documents."""
