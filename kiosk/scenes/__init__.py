"""The scenes of a table, each a small value: what is shown, and what a touch asks for.

A scene holds only what the finger is doing; the game comes in with the stage. It never sees
pygame, a clock, a file or a wire. ``flow`` says which scene a moment of the game has.
"""
