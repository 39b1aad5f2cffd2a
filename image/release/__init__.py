"""The maintainers' tool for versions of the program: keys, and signed bundles (``python -m image.release``)."""
