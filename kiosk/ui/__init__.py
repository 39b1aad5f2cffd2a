"""The user interface toolkit: a screen is a value, and only differences are repainted.

``geometry`` and ``table_layout`` compute positions, ``blocks`` defines the contents, ``painter`` paints them,
``touch_recogniser`` recognises touches. No module here knows a game.
"""
