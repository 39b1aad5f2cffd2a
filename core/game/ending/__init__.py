"""The end of a game: ending condition, agreement, record sheet and winnings."""
