"""What to buy and build: parts lists, currents, cables, housings. ``python -m tools.workshop``.

Numbers are data (``parts.toml``, ``builds.toml``, ``screens.toml``); tables and drawings of docs/hardware.md
are made from them, and a test compares. Run from the checkout; no part of the wheel.
"""
