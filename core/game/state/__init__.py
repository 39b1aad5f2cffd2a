"""The state of a game, what every rule asks of it, and what a decision is. Knows no decision."""
