"""Build the files of a release in ``dist`` (``make release``, docs/development/releasing.md)."""
