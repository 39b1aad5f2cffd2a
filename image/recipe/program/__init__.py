"""The tree ``/opt/saloon``: Saloon, the locked distributions, and what is read ahead of its first picture."""
