"""The state of a game and the checks that rules share; it knows no rule."""
