"""A duel of the finals: two players with five characters each (long) or eight one by one (short).

It knows no tournament: pairings, and the value of a victory, are decided elsewhere.
"""
