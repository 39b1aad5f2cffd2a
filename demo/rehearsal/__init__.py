"""A rehearsal hall: up to fifty tables of real terminals, players who tap for themselves, faults on demand.

``faults`` is what is wrong, as values; ``cables``, ``units`` and ``people`` are what it is done to;
``watching`` reads what the judges did from the station's own entries; ``hall`` starts all of it;
``rehearsal`` lets it run; ``control`` is where others ask.
"""
