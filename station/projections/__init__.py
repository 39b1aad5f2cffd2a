"""The state of all tables, folded from the stored entries: games, calls, handovers and the floor."""
