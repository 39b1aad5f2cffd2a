"""Parts lists, currents, cables and housings for building terminals: ``python -m tools.workshop``.

The data is in ``parts.toml``, ``builds.toml`` and ``screens.toml``; tables and drawings of
docs/setup/hardware.md are generated from it, and a test compares them. It runs from the checkout and isn't
part of the wheel.
"""
