"""What to buy and build for the tables: parts lists, currents, cables, housings. ``python -m workshop``.

Numbers are data (``parts.toml``, ``builds.toml``, ``screens.toml``); tables and drawings of docs/hardware.md
are made from them, and a test compares. Run from the checkout; no part of the wheel.
"""
