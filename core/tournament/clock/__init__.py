"""The round's clock in the tournament."""
