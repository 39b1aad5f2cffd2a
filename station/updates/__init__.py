"""New versions for terminals at the station: kept as files, offered to one first, then to the others.

Nothing of it is an entry: a terminal says anew in each connection what it runs and how far it is. Words:
a version is what a signed bundle holds; a rollout is how far the hall has it.
"""
