"""The pace of a round: estimates of the time at which each table, and the last one, will finish."""
