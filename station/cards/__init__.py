"""The files for terminals' cards."""
