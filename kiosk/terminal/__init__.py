"""The terminal's app, which runs the game and connects screen, panel, journal and virtual terminal.

``game_keeper`` knows the game but no screen; ``loop`` knows the screen but no rules.
"""
