"""Program updates for terminals: signed bundles, sent over the same connection as entries.

A bundle is transferred piece by piece over the existing connection while a terminal is idle; its signature
proves that its maker is authorised. The pure modules (``bundle``, ``about``, ``messages`` and ``pull``)
access no files and no clock. A bundle consists of a head and a payload, and the head of a manifest and a
signature.
"""
