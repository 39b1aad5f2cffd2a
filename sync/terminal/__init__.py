"""The terminal's end of its connection to a station, on one thread with its journal."""
