"""The judge's work at the station: requests from the pages, carried out on the entries.

One module per concept; pages see ``station_service``, a thin face. All state is a fold of entries;
every change is a command to the core, appended durably before anybody sees it.
"""
