"""The terminal's end: the agent, its routes and its connection."""
