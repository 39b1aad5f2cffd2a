"""A hall for a station: terminals, floors, phones and whole games, in one process or in their own."""
