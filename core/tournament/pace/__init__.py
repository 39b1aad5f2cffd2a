"""The pace of a round: estimates of when each table, and the last one, will finish."""
