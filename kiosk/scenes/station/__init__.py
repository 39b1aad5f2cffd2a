"""Scenes opened by the station: a message, a locked screen, a terminal to be identified."""
