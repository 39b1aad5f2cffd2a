"""The maintainers' tool for new versions: keys, and signed bundles (``python -m image.release``)."""
