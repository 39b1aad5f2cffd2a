"""The kinds of worked cases: how each one's input is read and what the rules make of it."""
