"""A rehearsal: a hall with up to fifty real terminals, simulated players and faults on demand.

``hall`` starts everything, and ``rehearsal`` runs it. ``faults`` defines the faults, which ``troubles``
causes. ``watching`` reads the judges' actions from the station's database. ``program`` is the command, which
also answers requests over a socket.
"""
