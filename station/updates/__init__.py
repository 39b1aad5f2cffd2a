"""New versions for terminals, offered to one terminal first, then to the others.

A version is the content of a signed bundle, and a rollout is its progress in the hall. Neither is stored as
entries: terminals report their version and progress in each connection.
"""
