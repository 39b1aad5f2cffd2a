"""The draw: rounds, tables and seats."""
