"""The station as an appliance: a computer that serves a hall and that nobody logs in to.

It handles the card's file, the network, copies on a stick, clock and power, and the data for the
station's screen. Nothing here decides about tournaments; other computers run a station without it.
Words: hall (the room and its network), card file (``saloon-station.toml``), stick, copy, status.
"""
