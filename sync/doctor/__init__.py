"""Looks at a terminal's way to its station and says what is wrong; it mends and disturbs nothing."""
