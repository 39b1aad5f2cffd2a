"""The station's peers: the same events on the same disk, with all flushes enabled and counted."""
