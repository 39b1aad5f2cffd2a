"""The migrations, oldest first by their numbers."""
