"""Files that a terminal keeps across a restart, and the settings that it starts with."""
