"""Chance that anyone can recompute: numbers and lots from a seed that is sealed before and shown after.

docs/reference/draw.md states all of this for people who check a draw by hand.
"""

import hashlib
import itertools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import TypeVar

Thing = TypeVar("Thing")

_SEED = re.compile(r"[0-9a-f]{64}")
_NUMBERS = 1 << 256
"""How many different numbers a SHA-256 can be."""


def is_seed(text: str) -> bool:
    """Return whether a text is a seed: 64 lower-case hexadecimal digits."""
    return _SEED.fullmatch(text) is not None


def seal_of(seed: str) -> str:
    """Return the seal of a seed: the SHA-256 of its ASCII digits, as 64 hexadecimal digits."""
    return hashlib.sha256(seed.encode("ascii")).hexdigest()


def normalise_hall_word(word: str) -> str:
    """Return a hall word as it is written down and drawn with: no blanks at its ends, Unicode form NFC."""
    return unicodedata.normalize("NFC", word).strip()


def numbers(seed: str, hall_word: str, label: str) -> Iterator[int]:
    """Yield the endless numbers of one draw: number c, from 0, is SHA-256("seed:hall word:label:c").

    label: ``round/attempt`` for a round's draw, ``lots`` for lots between tied players.
    """
    # The beginning of the text is hashed once for all of them.
    copied = hashlib.sha256(f"{seed}:{hall_word}:{label}:".encode()).copy
    for counter in itertools.count():
        one = copied()
        one.update(b"%d" % counter)
        yield int.from_bytes(one.digest(), "big")


def lots(things: Sequence[Thing], count: int, source: Iterator[int]) -> tuple[Thing, ...]:
    """Draw a number of things one after the other, in the order drawn: Fisher-Yates from the front.

    Each of those left is equally likely, and takes a number; the last one takes none. Numbers above the
    largest multiple of how many are left are thrown away: without it the first would be likelier by a hair.
    """
    hat = list(things)
    for place in range(min(count, len(hat) - 1)):
        left = len(hat) - place
        number = next(source)
        # Nearly every number is far below the limit, which takes longer to compute than to stay below.
        while number >= _NUMBERS - left and number >= _NUMBERS - _NUMBERS % left:
            number = next(source)
        chosen = place + number % left
        hat[place], hat[chosen] = hat[chosen], hat[place]
    return tuple(hat[:count])
