"""The synchronisation of journals: entries, messages and sessions, and parcels where there is no network."""
