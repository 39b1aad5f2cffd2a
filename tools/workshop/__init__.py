"""Parts lists, currents, cables and housings for building terminals. ``python -m tools.workshop``.

Numbers are data (``parts.toml``, ``builds.toml``, ``screens.toml``); tables and drawings of
docs/setup/hardware.md are made from them, and a test compares. Run from the checkout; no part of the wheel.
"""
