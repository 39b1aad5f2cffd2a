"""Program updates for terminals: signed bundles, sent over the same connection as entries.

A bundle is transferred piece by piece while the terminal is idle. Its signature proves that its maker is
authorised.
"""
