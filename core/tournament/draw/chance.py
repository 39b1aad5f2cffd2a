"""Verifiable randomness: numbers and lots from a seed that is sealed before and published afterwards.

docs/reference/draw.md explains it for people who check a draw by hand.
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
"""Number of possible SHA-256 values."""


def is_seed(text: str) -> bool:
    """Return whether a text is a seed: 64 lower-case hexadecimal digits."""
    return _SEED.fullmatch(text) is not None


def seal_of(seed: str) -> str:
    """Return the seal of a seed: the SHA-256 of its ASCII digits, as 64 hexadecimal digits."""
    return hashlib.sha256(seed.encode("ascii")).hexdigest()


def normalise_hall_word(word: str) -> str:
    """Return a hall word in its stored form: stripped, in Unicode form NFC."""
    return unicodedata.normalize("NFC", word).strip()


def numbers(seed: str, hall_word: str, label: str) -> Iterator[int]:
    """Yield the infinite numbers of a draw: number c, from 0, is SHA-256("seed:hall word:label:c").

    label: ``round/attempt`` for a round's draw, ``lots`` for lots between tied players.
    """
    # The common prefix is hashed only once.
    copied = hashlib.sha256(f"{seed}:{hall_word}:{label}:".encode()).copy
    for counter in itertools.count():
        one = copied()
        one.update(b"%d" % counter)
        yield int.from_bytes(one.digest(), "big")


def lots(things: Sequence[Thing], count: int, source: Iterator[int]) -> tuple[Thing, ...]:
    """Draw a number of things, in the order drawn: a Fisher-Yates shuffle from the front.

    All remaining things are equally likely. Each pick takes a number, except the only choice left. Numbers
    above the largest multiple of the remaining things are discarded, to avoid modulo bias.
    """
    hat = list(things)
    for place in range(min(count, len(hat) - 1)):
        left = len(hat) - place
        number = next(source)
        # Check a cheap lower bound first, as the exact limit is slow to compute and rarely needed.
        while number >= _NUMBERS - left and number >= _NUMBERS - _NUMBERS % left:
            number = next(source)
        chosen = place + number % left
        hat[place], hat[chosen] = hat[chosen], hat[place]
    return tuple(hat[:count])
