"""The hardware of a terminal: buttons, key switch, lamp, buzzer, and the system's watchdog.

Contains pins and patterns, no rules.
"""
