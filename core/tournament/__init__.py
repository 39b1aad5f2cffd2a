"""A whole tournament: rounds, table chart, draw, winnings, standings and tie-breaks."""
