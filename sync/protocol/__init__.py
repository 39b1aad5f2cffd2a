"""The protocol between both ends: entries, journal, messages, session."""
