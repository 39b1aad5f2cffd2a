"""The station's database: entries, settings, backups, exports."""
