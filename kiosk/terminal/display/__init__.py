"""The display of a terminal: startup, touches and brightness."""
