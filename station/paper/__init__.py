"""Papers to print: what is on them, and how they are set."""
