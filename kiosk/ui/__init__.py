"""The user interface toolkit: a screen is a value, and only differences are repainted.

``geometry`` and ``ring_layout`` compute positions, ``parts`` defines the contents, ``painter`` paints them,
``fingers`` recognises touches. No module here knows a game.
"""
