"""The transfer of journal entries, exactly once, over any cable or Wi-Fi.

This package knows streams, epochs, sequence numbers and bytes. It never decodes an entry's body and
knows no game rules. The protocols in ``link``, ``bus`` and ``protocol`` are sans-I/O.
"""
