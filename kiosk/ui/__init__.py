"""The user interface toolkit: a screen is a value, and only differences are repainted.

``geometry`` and ``ring`` compute positions, ``parts`` defines the contents, ``painter`` paints them,
``touch_recogniser`` recognises touches. No module here knows a game.
"""
