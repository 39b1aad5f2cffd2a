"""The state of a game, and the checks and changes that several rules share."""
