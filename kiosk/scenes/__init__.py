"""Scenes: small immutable values that show the state of a table and respond to touches.

A scene holds only the state of the current interaction; the game comes with its SceneContext. Most scenes
are functions (``widgets.dialogs.scene``); those with steps or pointers are classes. A scene never uses
pygame, a clock, files or connections. ``kiosk.terminal.display.flow`` chooses the scene for each moment of
the game.
"""
