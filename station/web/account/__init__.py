"""Pages for logging in, accounts and the station's computer."""
