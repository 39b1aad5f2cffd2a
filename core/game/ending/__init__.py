"""The end of a game: the ending condition, the agreement, the record sheet and the winnings."""
