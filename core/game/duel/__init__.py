"""A duel of the finals: two players with five characters each (long) or eight one by one (short).

Like a game, it is pure: commands in, events out, state by folding. It knows no tournament:
pairings, and the value of a victory, are decided elsewhere.
"""
