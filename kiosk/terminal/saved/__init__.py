"""Files that a terminal keeps across a restart."""
