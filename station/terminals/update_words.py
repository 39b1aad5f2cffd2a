"""A terminal's version and its update progress as text, which are also the translation keys."""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final

from station.text.labels import LABELS
from station.updates.rollout import RolloutPhase
from station.updates.updates import TerminalVersion
from sync.update.messages import UpdateReason, UpdateStage


def _(text: str) -> str:
    return text


UPDATE_LABELS: Final[Mapping[Enum, str]] = {
    RolloutPhase.KEPT: _("Not offered to any terminal yet."),
    RolloutPhase.ONE_FIRST: _("One terminal tries it first."),
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
    """Return a terminal's progress with an uploaded version; empty if there is none."""
    told = runs.told
    if told is None or told.stage is UpdateStage.NONE:
        return ""
    is_playing = told.stage is UpdateStage.FETCHING and not told.have
    label = _("will download {version} when it has no game") if is_playing else UPDATE_LABELS[told.stage]
    text = translate(label).format(version=runs.version, percent=runs.percent)
    why = UPDATE_LABELS[told.reason]
    return text + translate(": ") + translate(why) if why else text
