"""Short rule cards for the table: the rules that apply, as text with their sources.

The texts are our own, in the players' language, generated from the edition in use. They never reveal secrets
of the game.
"""
