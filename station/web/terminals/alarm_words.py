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
    _("another entry was received under this number before: a cloned or restored card"),
    _("the entry does not continue the chain of hashes"),
    _("the stored bytes have changed: a failing disk"),
    _(
        "the stored bytes of an old game have changed: a failing disk; restart the station, "
        "which asks for them again"
    ),
    _("the other end holds other entries of our stream than we"),
    _("the writer has other entries than it once sent"),
    _("the writer has fewer entries than it once sent"),
    _("it sends far more than a game produces; the station stores the rest slowly"),
    _("its stored certificate cannot be used, so it cannot connect; revoke it and enrol it again"),
    _("a second terminal on the pair of wires says it is this one"),
    _("no room for terminal {unit}: 32 are on the pair"),
    _("spoke without being asked; kept off the wires for {seconds} s"),
    _("somebody drowns the pair of wires; suspects: {names}; unplug one after the other"),
    _("probably drowns the pair of wires: unplug it"),
    _(
        "a second station is on this cable, and the two disturb each other; unplug one of them "
        "from it; nothing is lost"
    ),
    _(
        "wrote about a game that was never assigned to it (round {round}, table {table}); "
        "none of this counts, and the terminal may have been tampered with"
    ),
    _("put at table {table} during its game by {name}"),
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
