"""A rehearsal hall: up to fifty tables of real terminals, simulated players, faults on demand.

``faults`` holds the faults as values; ``cables``, ``units`` and ``people`` are what they affect; ``watching``
reads the judges' actions from the station's own entries; ``hall`` starts all of it; ``rehearsal`` runs it;
``control`` answers requests from outside.
"""
