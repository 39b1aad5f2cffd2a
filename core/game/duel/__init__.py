"""A duel of the finals: two players, five characters each (long) or eight one by one (short).

The machine is pure like the game's: commands in, events out, state by folding. It knows no tournament:
pairings, and the value of a victory, are decided elsewhere.
"""
