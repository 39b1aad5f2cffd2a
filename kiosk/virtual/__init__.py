"""The virtual terminal: the real app behind a page, with its screen, buttons and lamps.

Nothing is reachable here that a finger could not do.
"""
