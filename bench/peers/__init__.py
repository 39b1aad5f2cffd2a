"""The station's peers: the same events and disk, every flush switched on and counted."""
