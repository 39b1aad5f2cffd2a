"""Editions of the rules as data: one TOML file each, and the loader that checks it.

Code reads numbers and readings from the edition and never checks its name, so house rules are simply one
more file.
"""
