"""The order of the floor: tables that need a judge first, and those that are finished last."""

import enum
from typing import Final

from saloon.core.game.state import Phase
from saloon.core.rule_set import RecordMode
from saloon.core.terminal_report import Power
from saloon.station.services.tables.floor_cards import FloorCard, SheetState
from saloon.station.terminals.terminal_cards import TerminalLink

_MINUTE_MS: Final = 60_000
_SILENT_MIN: Final = {RecordMode.FULL: 8, RecordMode.LIGHT: 25}
"""Minutes after which a table seems to have forgotten its terminal; a light game enters little."""
_LONGEST_SILENCE_MIN: Final = 24 * 60
"""A terminal whose clock is not set writes times of another year."""


class Attention(enum.Enum):
    """The reason why a table needs a judge, or that it does not; in the order of the floor."""

    CALLS = "calls"
    DECIDE = "decide"
    """Results, late entries or a terminal's fault wait for a decision."""
    CONFIRM = "confirm"
    """The game is over, and its record sheet is to be confirmed."""
    CUT_OFF = "cut-off"
    """Its terminal, or the phone that shows it, is disconnected in the middle of the game."""
    LOW_BATTERY = "low-battery"
    """Its terminal will soon be dark."""
    SILENT = "silent"
    """Nothing was entered for minutes in a game that is played."""
    COMING = "coming"
    """It calls, and a judge is on the way."""
    PLAYS = "plays"
    ON_PAPER = "on-paper"
    DONE = "done"


_PLACES: Final = {attention: place for place, attention in enumerate(Attention)}


def attention_of(card: FloorCard, now_ms: int) -> Attention:
    """Return what a table needs. now_ms: wall clock of the station."""
    if card.rings and not card.coming:
        return Attention.CALLS
    if card.sheet is SheetState.DISPUTED or card.has_unseen or card.disputing:
        return Attention.DECIDE
    if card.terminal is not None and card.terminal.alarm:
        return Attention.DECIDE
    if card.sheet in {SheetState.ACCEPTED, SheetState.WALKOVER}:
        return Attention.DONE
    if card.sheet is SheetState.PROPOSED:
        return Attention.CONFIRM
    if card.rings:
        return Attention.COMING
    if card.terminal is None:
        return Attention.ON_PAPER
    if card.terminal.link is TerminalLink.AWAY or card.terminal.is_unwatched:
        return Attention.CUT_OFF
    if card.terminal.power is Power.LOW:
        return Attention.LOW_BATTERY
    return Attention.SILENT if silent_minutes(card, now_ms) is not None else Attention.PLAYS


def silent_minutes(card: FloorCard, now_ms: int) -> int | None:
    """Return the minutes without an entry of a game that is played; None for a usual pause.

    A game whose clock is stopped pauses, and so does one that waits for the first turn.
    """
    if card.game is None or card.heard_ms is None or card.game.phase is not Phase.PLAYING:
        return None
    if card.time is not None and card.time.is_started and not card.time.runs:
        return None
    minutes = (now_ms - card.heard_ms) // _MINUTE_MS
    is_silent = _SILENT_MIN[card.game.mode] <= minutes < _LONGEST_SILENCE_MIN
    return minutes if is_silent else None


def place_of(card: FloorCard, now_ms: int) -> tuple[int, int]:
    """Return the sorting key of a table on the floor: by what it needs, then by number."""
    return _PLACES[attention_of(card, now_ms)], card.table
