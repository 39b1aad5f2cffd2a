"""The synchronisation of journals: entries, messages, sessions, and parcels for the way without a network."""
