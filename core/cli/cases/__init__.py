"""Worked cases: how they are read, and the result of each kind, one module for each group of kinds."""
