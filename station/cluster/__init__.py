"""The coordination of several stations on one PostgreSQL database."""
