"""Journal entries, transferred exactly once over any cable or Wi-Fi.

This package knows streams, epochs, sequence numbers and bytes; it never decodes a body and
knows no game rules. Its protocols (``link``, ``session``) are sans-I/O; only ``ports``
accesses a wire.
"""
