"""The parts of a terminal: buttons, key switch, lamp, buzzer, and the system that watches over programs.

Knows pins and patterns, no rules.
"""
