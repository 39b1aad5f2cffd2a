"""Translate alarms about journals and shared cables, and the progress of updates.

Alarms are stored as English sentences, written by the terminal or the station. Each is looked up here among
the known sentences; unknown ones remain in English.
"""

import re
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final

from station.text.i18n import LABELS, _
from station.updates.rollout import RolloutPhase
from station.updates.updates import TerminalVersion
from sync.update.messages import UpdateReason, UpdateStage

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
    """Return an alarm's text in the language of ``gettext``, or in English if it is unknown."""
    if text := _translate(problem, gettext):
        return text
    for around in _NESTING:
        fields = _fields(around, problem)
        if fields and (inner := _translate(fields["problem"], gettext)):
            return gettext(around).format(**(fields | {"problem": inner}))
    return gettext(problem) if problem else ""


def _translate(problem: str, gettext: Callable[[str], str]) -> str:
    for sentence in _SENTENCES:
        fields = _fields(sentence, problem)
        if fields is not None:
            return gettext(sentence).format(**fields)
    return ""


def _fields(sentence: str, problem: str) -> dict[str, str] | None:
    pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(sentence))
    match = re.fullmatch(pattern, problem)
    return None if match is None else match.groupdict()


UPDATE_LABELS: Final[Mapping[Enum, str]] = {
    RolloutPhase.KEPT: _("Not offered to any terminal yet."),
    RolloutPhase.ONE_FIRST: _("One terminal tries this version first."),
    RolloutPhase.EVERYWHERE: _("Offered to all terminals, a few at a time."),
    RolloutPhase.STOPPED: _("No longer offered."),
    UpdateStage.NONE: _("nothing new"),
    UpdateStage.FETCHING: _("downloading {version}: {percent}%"),
    UpdateStage.WAITING: _("has {version}; will start it when the terminal is idle"),
    UpdateStage.APPLYING: _("installing {version}"),
    UpdateStage.WENT_BACK: _("rolled back from {version}"),
    UpdateStage.DECLINED: _("didn't install {version}"),
    UpdateReason.NONE: "",
    UpdateReason.NOT_SIGNED: _("it isn't signed with a key the image trusts"),
    UpdateReason.OTHER_BOARD: _("it's for a different board or image: a new card is needed"),
    UpdateReason.NOT_NEWER: _("it isn't newer than the current version"),
    UpdateReason.NO_ROOM: _("the card is full or can't be written to"),
    UpdateReason.DAMAGED: _("it arrived damaged, or the card is worn out"),
    UpdateReason.NO_IMAGE: _("the terminal isn't running an image that can be updated"),
    UpdateReason.NOT_UP: _("the screen didn't come up in time"),
    UpdateReason.NO_STATION: _("it didn't reach the station in time"),
    UpdateReason.STARTS: _("it failed to start three times"),
    UpdateReason.SYSTEM: _("the terminal's operating system didn't install it"),
}
LABELS.update(UPDATE_LABELS)


def doing(runs: TerminalVersion, translate: Callable[[str], str]) -> str:
    """Describe a terminal's progress with an uploaded version; empty if there is none."""
    report = runs.report
    if report is None or report.stage is UpdateStage.NONE:
        return ""
    is_playing = report.stage is UpdateStage.FETCHING and not report.have
    label = _("will download {version} when it has no game") if is_playing else UPDATE_LABELS[report.stage]
    text = translate(label).format(version=runs.version, percent=runs.percent)
    why = UPDATE_LABELS[report.reason]
    return text + translate(": ") + translate(why) if why else text
