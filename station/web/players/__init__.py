"""Pages for players and the desk: check-in, a player's own page and applications."""
