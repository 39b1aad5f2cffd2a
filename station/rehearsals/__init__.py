"""Rehearsals: start and control a simulated hall that runs in a separate program.

``contract`` defines the messages between the two; ``calling`` sends them; ``starting`` starts the program.
A rehearsal has a separate station, database and tables. Nothing here reads or writes a real tournament.
"""
