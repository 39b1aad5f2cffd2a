"""Simulated players, who play a table through the virtual terminal's page.

``brain`` decides, without input or output, which target a table of people would touch next.
``terminal_client`` reads the screen and touches it over HTTP. ``people`` connects the two, and ``python -m
kiosk.rehearsal`` starts them.
"""
