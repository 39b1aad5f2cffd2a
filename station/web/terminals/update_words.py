"""A terminal's version and its progress with a new one, in words; the keys for translation."""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final

from saloon.station.updates.rollout import Phase
from saloon.station.updates.updates import TerminalVersion
from saloon.sync.update.messages import UpdateReason, UpdateStage


def _(text: str) -> str:
    return text


UPDATE_LABELS: Final[Mapping[Enum, str]] = {
    Phase.KEPT: _("Nobody is offered it yet."),
    Phase.ONE_FIRST: _("One terminal tries it first."),
    Phase.EVERYWHERE: _("All terminals are offered it, a few at a time."),
    Phase.STOPPED: _("It is offered no more."),
    UpdateStage.NONE: _("nothing new"),
    UpdateStage.FETCHING: _("fetches {version}: {percent} %"),
    UpdateStage.WAITING: _("has {version}; begins it when nobody needs the terminal"),
    UpdateStage.APPLYING: _("puts {version} in place"),
    UpdateStage.WENT_BACK: _("went back from {version}"),
    UpdateStage.DECLINED: _("does not take {version}"),
    UpdateReason.NONE: "",
    UpdateReason.NOT_SIGNED: _("it is not signed by those whose key the image has"),
    UpdateReason.OTHER_BOARD: _("it is for another board or another image: it needs a new card"),
    UpdateReason.NOT_NEWER: _("it is not newer than what runs"),
    UpdateReason.NO_ROOM: _("the card is full or cannot be written"),
    UpdateReason.DAMAGED: _("it arrived damaged, or the card is worn"),
    UpdateReason.NO_IMAGE: _("it does not run from an image that can be updated"),
    UpdateReason.NOT_UP: _("it drew no picture in time"),
    UpdateReason.NO_STATION: _("it did not reach the station in time"),
    UpdateReason.STARTS: _("it started three times in vain"),
    UpdateReason.SYSTEM: _("the terminal's system did not put it in place"),
}


def doing(runs: TerminalVersion, translate: Callable[[str], str]) -> str:
    """Return a terminal's progress with an uploaded version; empty for nothing."""
    told = runs.told
    if told is None or told.stage is UpdateStage.NONE:
        return ""
    text = translate(UPDATE_LABELS[told.stage]).format(version=runs.version, percent=runs.percent)
    why = UPDATE_LABELS[told.reason]
    return f"{text}: {translate(why)}" if why else text
