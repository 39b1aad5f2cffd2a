"""The station's orders about the terminal itself, and their effects over time."""
