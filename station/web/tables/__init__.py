"""Pages for the floor, tables and record sheets."""
