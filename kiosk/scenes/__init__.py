"""Scenes: small immutable values that show the state of a table and respond to touches.

A scene holds only the state of the current interaction; the game comes with its SceneContext. It never uses
pygame, a clock, files or connections. ``kiosk.terminal.display.flow`` chooses the scene for each moment of
the game.
"""
