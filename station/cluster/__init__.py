"""Several stations on one PostgreSQL."""
