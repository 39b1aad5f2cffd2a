"""The tree ``/opt/saloon``: Saloon, the locked distributions, and the list of files to read ahead."""
