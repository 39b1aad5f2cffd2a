"""The station's services: requests from the pages, carried out on the entries.

One module per concept; pages use ``station_service``, a thin facade. All state is a fold of entries. Every
change is a command to the core whose entries are stored before anybody sees them.
"""
