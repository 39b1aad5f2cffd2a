"""A rehearsal hall: up to fifty tables of real terminals, simulated players and faults on demand.

``faults`` defines the faults as values, and ``cables``, ``units`` and ``people`` are the parts that they
affect. ``watching`` reads the judges' actions from the station's database. ``hall`` starts everything, and
``rehearsal`` runs it. ``program`` is the command, which also answers requests over a socket.
"""
