"""The code that a judge reads from the station's page and types at a terminal.

Ten characters of Crockford's base 32: the ten digits and the alphabet without I, L, O and U.
What looks alike is read alike: O as 0, I and L as 1; letters may be small.
"""

from saloon.base.errors import BadData

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH = 10
GROUP = 5
RANDOM_BYTES = 7
"""Random bytes that ``code_of`` needs: 50 bits are used."""

_ALIKE = str.maketrans({"O": "0", "I": "1", "L": "1"})
_BITS = 5


def code_of(chance: bytes) -> str:
    """Return the code made from random bytes. chance: at least 7 bytes."""
    number = int.from_bytes(chance[:RANDOM_BYTES])
    return "".join(ALPHABET[number >> (_BITS * i) & 31] for i in range(LENGTH))


def read_alike(text: str) -> str:
    """Normalise typed text: no hyphens or blanks, in capitals, with look-alikes replaced."""
    return "".join(text.split()).replace("-", "").upper().translate(_ALIKE)


def code_typed(text: str) -> str:
    """Return the code that was typed. Raises BadData for text that cannot be a code."""
    code = read_alike(text)
    if len(code) != LENGTH or not set(code) <= set(ALPHABET):
        raise BadData("code", f"it has {LENGTH} characters; the station's page shows it")
    return code


def in_groups(code: str) -> str:
    """Format a code, or its beginning, for people: ``ABCDE-FGHJK``."""
    return "-".join(code[i : i + GROUP] for i in range(0, len(code), GROUP))
