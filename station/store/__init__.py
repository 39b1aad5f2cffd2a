"""The station's database: entries, settings and locks."""
