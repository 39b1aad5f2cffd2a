"""The judge's work at the station: requests from the pages, carried out on the entries.

One module per concept; ``service.py`` is the thin face that the pages see. All state is a fold of entries;
every change is a command to the core, appended durably before anybody sees it.
"""
