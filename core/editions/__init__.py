"""Editions of the rules as data: one TOML file each, and the loader that checks it.

Other code reads numbers and readings from an edition and never looks at its name, so that an organiser's
house rules are just one more file.
"""
