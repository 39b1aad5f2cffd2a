"""The hardware of a terminal: buttons, key switch, lamp, buzzer, and the system's watchdog.

It contains pins and patterns, but no game rules.
"""
