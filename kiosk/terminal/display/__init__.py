"""The display of a terminal: startup, touches, brightness."""
