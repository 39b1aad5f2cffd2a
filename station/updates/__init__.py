"""New versions for terminals, stored as files and offered to one terminal first, then to the others.

None of this is an entry: a terminal reports its version and progress in each connection. Terms: a version is
the content of a signed bundle; a rollout is its progress in the hall.
"""
