"""Prizes in the organiser's words: define them, preview who would win, and show everybody who has won."""
