"""Pages for tournaments: players, draws, standings, finals."""
