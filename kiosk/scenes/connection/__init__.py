"""Scenes for the connection to the station, enrolment, and transfer without a network."""
