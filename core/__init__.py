"""The rules of a tournament, as pure values and functions.

Apart from its command-line program and the loader of the packaged edition files, this room has no side
effects: no clock, no files, screens, network or database. Random numbers are passed in. It imports only
``base``. The terms are defined in docs/development/glossary.md.
"""
