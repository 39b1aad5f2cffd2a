"""What keeps a station busy: terminals, phones and whole games, in one process or in their own."""
