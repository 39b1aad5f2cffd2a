"""The station's own screen, with the addresses of its pages and the state of the hall.

It has no touch or keys. It reads two small files (``hall.json`` of the system, ``status.json`` of the
station), opens no connection, and keeps running if the station does not. The plan is the content in words,
and the picture is its drawing.
"""

import os

# Must be set before pygame is imported, to hide its banner.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
