"""The terminal's app: keeps the game, runs the loop, joins screen, panel, journal and door.

``keeper_layout`` knows the game and no screen; ``loop`` knows the screen and no rule.
"""
