"""The judge's work at the station: what the pages ask for, done on the entries.

One module a concept; ``office.py`` is the thin face that the pages see. All state is a fold of
entries; every change is a command to the core, appended durably before anybody sees it.
"""
