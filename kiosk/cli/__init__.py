"""The command line of a terminal, and programs that run before or beside its app."""
