"""Rehearsals as the station sees them: a hall that another program runs, apart from everything real.

``contract`` is what the two say to each other; ``calling`` says it; ``starting`` starts the program.
A rehearsal has a station, a database and tables of its own. Nothing here reads or writes a real tournament.
"""
