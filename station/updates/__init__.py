"""New versions for terminals: stored as files, offered to one terminal first, then to the others.

Nothing of it is an entry: a terminal reports its version and progress in each connection again. Words:
a version is the content of a signed bundle; a rollout is its progress in the hall.
"""
