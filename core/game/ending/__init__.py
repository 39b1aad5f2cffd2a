"""The end of a game: ending condition, Revolutions, calls of the judge, record sheet and winnings."""
