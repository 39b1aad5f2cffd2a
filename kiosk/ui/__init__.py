"""The toolkit of the screen: what is shown is a value, and only what differs is painted.

``geometry`` and ``ring`` place, ``parts`` says what stands there, ``painter`` paints it,
``fingers`` tells what a finger wants. No module here knows a game.
"""
