"""Editions of the rules as data: one TOML file each, and the loader that checks it."""
