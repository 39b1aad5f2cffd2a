"""Short rule cards for the table: which rules apply, their text, and their sources.

The texts are our own, in the players' language, generated from the edition in use. They never reveal secrets
of the game.
"""
