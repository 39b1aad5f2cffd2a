"""The protocol of both ends: entries, journal, messages, session, handshake."""
