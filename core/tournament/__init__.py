"""A whole tournament: rounds, table chart, draw, penalties, record sheets, standings and tie-breaks.

It never draws by itself: seeds come with commands and stay in events. It never pays by itself:
winnings are the game's. Its words are in docs/development/glossary.md, its draw in docs/reference/draw.md.
"""
