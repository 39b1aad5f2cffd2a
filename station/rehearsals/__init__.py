"""Rehearsals: start and control a simulated hall that runs as a separate program.

``contract`` defines the messages between the two; ``runner`` starts the program and sends them. A rehearsal
has its own station, database and tables. Nothing here reads or writes a real tournament.
"""
