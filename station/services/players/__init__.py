"""Services for players: their codes and their presence."""
