"""The station as an appliance: a small computer that serves a hall and needs no login.

It handles the card's file, the network, backups on a USB stick, the clock, power, and the data for the
station's screen. It makes no decisions about tournaments; other computers run a station without it.

A hall is the room and its network, a card file is ``saloon-station.toml``, and a copy is a backup on the
stick.
"""
