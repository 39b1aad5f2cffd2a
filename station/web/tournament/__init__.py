"""Pages for tournaments: players, draws, standings and finals."""
