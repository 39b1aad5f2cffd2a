"""Names of people and clubs: how they are stored, compared, searched and sorted.

They are stored in Unicode form NFC. ``sound_key`` is equal for names that can't be told apart by ear,
``name_key`` for names that a season takes as one person's, ``likeness_keys`` overlap for names to ask about,
and ``fold_name`` is for searching and sorting.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from base.errors import Refused
from core.tournament.state.reasons import TournamentReason

LONGEST_NAME: Final = 80
_LONGEST_COMPARED: Final = 4 * LONGEST_NAME
"""Only this many letters are compared, as Unicode normalisation takes quadratic time."""
_INVISIBLE: Final = frozenset(" \u115f\u1160\u2800\u3164\uffa0")
"""Letters that are printable but invisible."""
_JOINERS: Final = "\u200c\u200d"
"""Invisible letters that names in Persian or Malayalam, and some emoji, need."""
MARKS: Final = re.compile("[\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
"""Invisible marks in files and copied text that carry no meaning."""
_APOSTROPHES: Final = re.compile("['’‘‛`´ʼʹʻʽˈ′＇\u200c\u200d]")
_LETTERS: Final = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)
"""ASCII spellings of letters without a Unicode decomposition. pages.js has them too."""
_BETWEEN_WORDS: Final = re.compile(r"[\W_]+")
_UMLAUT: Final = re.compile("(?<=[aou])e")
"""The second letter of an umlaut written as two."""
_ERROR: Final = re.compile(
    r"#(?:[^\W\d_]/[^\W\d_]{1,4}!?|NV|YOK|HIÁNYZIK|GETTING_DATA|[¡¿]?[^\W\d_]{2,}(?:/0|[ _][^\W\d_]+)?[!?])"
    r"|(?:Err|Fehler|Erreur):\d{3}"
)
"""Error values in spreadsheet cells, in several languages."""


def fold_name(text: str) -> str:
    """Return a name without case, accents and apostrophes, and with spaces for hyphens.

    >>> fold_name("Niccolò  D’Angelo-İnce")
    'niccolo dangelo ince'
    """
    letters = _APOSTROPHES.sub("", MARKS.sub("", text[:_LONGEST_COMPARED])).casefold()
    plain = "".join(c for c in unicodedata.normalize("NFKD", letters) if not unicodedata.combining(c))
    dashes = "".join(" " if unicodedata.category(c) == "Pd" else c for c in _APOSTROPHES.sub("", plain))
    return " ".join(dashes.replace("−", " ").translate(_LETTERS).split())


def name_key(text: str) -> str:
    """Return a key that is equal for all spellings of a name, even with first and last name swapped.

    >>> name_key("Rossi, Mario") == name_key("mario rossi")
    True
    """
    folded = fold_name(text)
    return " ".join(sorted(_BETWEEN_WORDS.sub(" ", folded).split())) or folded


# Each page with a question compares a name with all players'.
@lru_cache(4096)
def likeness_keys(text: str) -> tuple[str, ...]:
    """Return keys; two names that share one may be the same person's: ask, but never merge them.

    Spaces, the order of words, and umlauts written as two letters make no difference.

    >>> set(likeness_keys("Ea De Müller")) & set(likeness_keys("Demueller, Ea"))
    {'eademuller'}
    """
    folded = fold_name(text)
    words = _BETWEEN_WORDS.sub(" ", folded).split() or [folded]
    orders = (sorted(words), *(words[first:] + words[:first] for first in range(len(words))))
    return tuple(dict.fromkeys(_UMLAUT.sub("", "".join(order)) for order in orders))


def names_like(name: str) -> Callable[[str], bool]:
    """Return a predicate for names that may be the same person's."""
    keys = set(likeness_keys(name))
    return lambda other: not keys.isdisjoint(likeness_keys(other))


def name_filter(wanted: str) -> Callable[[str], bool]:
    """Return a predicate for names with all words of a search, in any order; an empty search matches none."""
    words = name_key(wanted).split()

    def _is_found(name: str) -> bool:
        folded = fold_name(name)
        return bool(words) and all(word in folded for word in words)

    return _is_found


def sound_key(name: str, club: str) -> tuple[str, str]:
    return _sound(name), _sound(club)


def _sound(text: str) -> str:
    return "".join(letter for letter in nfc(text) if letter not in _JOINERS).casefold()


def nfc(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text[: 2 * _LONGEST_COMPARED].split()))


def composed(text: str) -> str:
    return unicodedata.normalize("NFC", text) if len(text) <= LONGEST_NAME else text


def can_be_shown(text: str) -> bool:
    """Return whether a name has no characters that control the display, such as bidirectional marks."""
    visible = "".join(letter for letter in text if letter not in _JOINERS)
    return visible.isprintable() and not text.startswith(tuple(_JOINERS))


def is_spreadsheet_error(text: str) -> bool:
    return _ERROR.fullmatch(text) is not None and (text.isupper() or text[0] != "#")


def checked_player_name(text: str) -> str:
    """Return a player's name in its stored form. Raises Refused for one that can't be displayed."""
    name = checked_name(text)
    if is_spreadsheet_error(name):
        raise Refused(TournamentReason.NAME_IS_ERROR, name=name)
    return name


def checked_name(text: str) -> str:
    """Return a name in its stored form. Raises Refused for one that can't be displayed."""
    name = nfc(text)
    if not set(name) - _INVISIBLE:
        raise Refused(TournamentReason.EMPTY_NAME)
    return checked_club(name)


def checked_club(text: str) -> str:
    """Return a club, possibly empty, in its stored form. Raises Refused for one that can't be displayed."""
    name = nfc(text)
    sample = printable(name[:LONGEST_NAME])
    if len(name) > LONGEST_NAME:
        length = len(" ".join(text.split()))
        raise Refused(TournamentReason.NAME_TOO_LONG, name=sample, length=length, most=LONGEST_NAME)
    if not can_be_shown(name):
        raise Refused(TournamentReason.NAME_UNPRINTABLE, name=sample)
    return name


def printable(text: str) -> str:
    """Return a text with question marks for letters that can't be displayed."""
    return "".join(letter if can_be_shown(letter) else "?" for letter in text)
