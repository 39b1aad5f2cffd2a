"""The maker of a release's files, into ``dist`` (``make release``, docs/development/releasing.md)."""
