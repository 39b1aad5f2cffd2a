"""The judge's station: store, services and web pages."""
