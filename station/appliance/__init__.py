"""The station as an appliance: a computer that serves a hall and that nobody logs in to.

What its card's file asks for, its network, the copies on a stick, its clock, its power, and what its
own screen is told. Nothing here decides about tournaments; other computers run a station without it.
Words: hall (the room and its network), card file (``saloon-station.toml``), stick, copy, status.
"""
