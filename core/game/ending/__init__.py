"""The end of a game: ending conditions, Revolutions, calls to the judge, record sheet and winnings."""
