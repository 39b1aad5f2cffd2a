"""Files that a terminal keeps over a restart."""
