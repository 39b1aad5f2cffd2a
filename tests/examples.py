"""Numbers of hypothesis' examples: a share in `make test`, all of them at night."""

from hypothesis import settings

FULL = 100
"""The examples of a property that asks for no number, at night."""
SHARE = 25
"""The same in `make test`."""


def examples(at_night: int) -> int:
    """Return the examples of a property that needs another number: by day the same share of it."""
    return -(-at_night * min(settings().max_examples, FULL) // FULL)
