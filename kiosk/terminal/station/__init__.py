"""The station's orders about the terminal itself, and what becomes of them over time."""
