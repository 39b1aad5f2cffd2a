"""Journal entries, moved exactly once over any cable or Wi-Fi.

This package knows streams, epochs, sequence numbers and bytes; it never looks into a body and
knows no rule of any game. Its protocols (``link``, ``session``) are sans-I/O; only ``ports``
touches a wire.
"""
