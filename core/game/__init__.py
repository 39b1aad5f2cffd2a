"""One game at one table: events, state, decisions, High Noon and endings."""
