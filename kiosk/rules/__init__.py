"""The rules that matter at a table, one card each: selection, sources and sentences.

Sentences are our own, in the players' language, made from the edition that is played; never a secret of
the game.
"""
