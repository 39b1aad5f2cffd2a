"""A duel of two players: with five characters each (long), or with eight one after the other (short).

The package knows no tournament: who plays, and what a victory is worth, is decided elsewhere.
"""
