"""The command line of a terminal, and what runs before and beside its app."""
