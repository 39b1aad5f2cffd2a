"""The virtual terminal: the real app with a web page that shows its screen, buttons and lamps.

The page can do nothing that a person at the terminal couldn't do.
"""
