"""Translate problems of a journal or a shared cable into the language of a page.

Alarms are stored as English sentences, as written by either end, and are looked up here among the known
sentences. Unknown ones remain in English.
"""

import re
from collections.abc import Callable
from typing import Final


def _(text: str) -> str:
    return text


_SENTENCES: Final = (
    _("a different entry with this number was received earlier: the card was probably cloned or restored"),
    _("the entry doesn't match the hash of the previous one"),
    _("the stored bytes have changed: the disk is failing"),
    _(
        "the stored bytes of an old game have changed: the disk is failing; restart the station "
        "to fetch them again"
    ),
    _("the other end has different entries for our stream"),
    _("the writer's entries differ from those it sent earlier"),
    _("the writer has fewer entries than it sent earlier"),
    _("it sends far more than a game produces; the station stores the rest slowly"),
    _("its stored certificate can't be used, so it can't connect; revoke it and enrol it again"),
    _("a second terminal on the shared cable has the same identity"),
    _("no room for terminal {unit}: 32 are already on the shared cable"),
    _("sent data without being polled; ignored for {seconds} s"),
    _("a terminal is jamming the shared cable; suspects: {names}; unplug them one at a time"),
    _("probably jamming the shared cable: unplug it"),
    _(
        "a second station is on this cable, and the two disturb each other; unplug one of them; "
        "nothing is lost"
    ),
    _(
        "sent entries for a game that was never assigned to it (round {round}, table {table}); "
        "none of them count, and the terminal may have been tampered with"
    ),
    _("assigned to table {table} by {name} during its game"),
    _("{count} wrong PINs have locked the keypad at table {table}"),
)
_NESTING: Final = (_("{problem} (entry {number})"), _("{unit}: {problem}"))
"""Sentences that contain another one in their field ``problem``."""


def alarm_words(problem: str, gettext: Callable[[str], str]) -> str:
    """Return a problem in the language of ``gettext``; unchanged if it is unknown."""
    if found := _translate(problem, gettext):
        return found
    for around in _NESTING:
        fields = _fields(around, problem)
        if fields and (inner := _translate(fields["problem"], gettext)):
            return gettext(around).format(**(fields | {"problem": inner}))
    return gettext(problem) if problem else ""


def _translate(problem: str, gettext: Callable[[str], str]) -> str:
    """Return a known sentence translated, with its fields; empty if it is unknown."""
    for sentence in _SENTENCES:
        fields = _fields(sentence, problem)
        if fields is not None:
            return gettext(sentence).format(**fields)
    return ""


def _fields(sentence: str, problem: str) -> dict[str, str] | None:
    """Return the values of a sentence's fields; None if the problem is a different sentence."""
    pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(sentence))
    found = re.fullmatch(pattern, problem)
    return None if found is None else found.groupdict()
