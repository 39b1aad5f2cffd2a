"""The load of a hall on a station: terminals, floor pages, phones and whole games."""
