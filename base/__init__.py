"""Basic modules shared by several rooms. They import nothing from any other room."""

__version__ = "1.0.0"
