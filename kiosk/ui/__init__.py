"""The user interface toolkit: a screen is a value, and only differences are repainted.

``geometry`` and ``table_layout`` compute positions, ``blocks`` defines the contents of a screen, ``painter``
paints them, and ``touch_recogniser`` interprets touches. No module here knows the game.
"""
