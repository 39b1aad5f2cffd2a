"""The hardware of a terminal: the panel, the screen, and systemd's watchdog.

Nothing here knows the rules of the game.
"""
