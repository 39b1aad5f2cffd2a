"""Program updates for terminals: signed bundles, sent over the same connection as entries.

A bundle is transferred piece by piece over the existing connection while a terminal is idle; its signature
proves that its maker is authorised.
"""
