"""The finals and their duels."""
