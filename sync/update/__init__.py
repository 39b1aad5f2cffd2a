"""A new version of the program for terminals: its signed bundle, and its transfer beside the entries.

A bundle comes piece by piece over the existing connection, when a terminal has nothing else to do; its
signature proves that its maker is authorised. The pure modules (``bundle``, ``about``, ``messages``,
``pull``) know no file and no clock. Terms: a bundle is head and payload, the head is manifest and signature.
"""
