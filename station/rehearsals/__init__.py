"""Rehearsals: start and control a simulated hall that runs in a separate program.

``contract`` defines the messages between the two; ``runner`` starts the program and sends them.
A rehearsal has a separate station, database and tables. Nothing here reads or writes a real tournament.
"""
