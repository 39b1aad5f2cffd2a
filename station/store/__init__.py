"""The station's database: entries, settings, backups and exports."""
