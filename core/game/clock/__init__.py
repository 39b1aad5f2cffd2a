"""The round's clock at one table, and the time limit."""
