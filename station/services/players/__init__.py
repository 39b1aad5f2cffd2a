"""Services for players: their codes, and who is here."""
