"""The station's own screen: where to find its pages, and how the hall is, for whoever stands before it.

It only shows: nobody can touch or type anything here. It reads two small files (``hall.json`` of the
system, ``status.json`` of the station), opens no connection, and goes on when the station does not.
Words: plan (what is shown, in words), picture (how it is drawn).
"""

import os

# Before pygame is imported: its banner is not for a program's output.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
