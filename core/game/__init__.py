"""A single game at a table: events, state, decisions, High Noon and endings."""
