"""Enrolled terminals, the codes that enrol new ones, and their alarms."""
