"""Scenes of a table, each a small value that shows the state and answers touches.

A scene holds only the state of the current interaction; the game comes in with the stage. It never
sees pygame, a clock, a file or a wire. ``flow`` chooses the scene for each moment of the game.
"""
