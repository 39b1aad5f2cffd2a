"""The station's end of all connections to terminals."""
