"""New versions of the program for terminals: signed bundles, and their transfer alongside entries.

A bundle is transferred piece by piece over the existing connection while a terminal is idle; its signature
proves that its maker is authorised. The pure modules (``bundle``, ``about``, ``messages`` and ``pull``)
access no files and no clock. Terms: a bundle is head and payload, the head is manifest and signature.
"""
