"""The order of tables on the floor: those that need a judge first, finished ones last."""

import enum
from typing import Final

from core.game.orders import Power
from core.game.state.game import Phase
from core.rule_set import RecordMode
from station.projections.floor_cards import FloorCard, SheetState
from station.projections.terminal_cards import TerminalLink

_MINUTE_MS: Final = 60_000
_SILENT_MIN: Final = {RecordMode.FULL: 8, RecordMode.LIGHT: 25}
"""Minutes without an entry after which players may have forgotten the terminal, by record mode."""
_LONGEST_SILENCE_MIN: Final = 24 * 60
"""A limit for implausible silence, as a terminal whose clock is not set records wrong times."""


class Attention(enum.Enum):
    """The reasons why a table needs a judge, or none, in the order of the floor."""

    CALLS = "calls"
    DECIDE = "decide"
    """A result, late entries or a terminal's fault need a decision."""
    CONFIRM = "confirm"
    """The game is over, and its record sheet needs confirming."""
    CUT_OFF = "cut-off"
    """The terminal, or the phone that shows it, was disconnected during the game."""
    LOW_BATTERY = "low-battery"
    """The terminal's battery is almost empty."""
    SILENT = "silent"
    """Nothing was entered for minutes during the game."""
    COMING = "coming"
    """The table has called, and a judge is on the way."""
    PLAYS = "plays"
    ON_PAPER = "on-paper"
    DONE = "done"


_PLACES: Final = {attention: place for place, attention in enumerate(Attention)}


def attention_of(card: FloorCard, now_ms: int) -> Attention:
    """Return what a table needs. ``now_ms`` is the station's wall clock."""
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
    """Return the minutes since the last entry of a running game, or None if the pause is short or normal.

    Pauses are normal while the clock is stopped, and before the first turn.
    """
    if card.game is None or card.heard_ms is None or card.game.phase is not Phase.PLAYING:
        return None
    if card.time is not None and card.time.is_started and not card.time.runs:
        return None
    minutes = (now_ms - card.heard_ms) // _MINUTE_MS
    is_silent = _SILENT_MIN[card.game.mode] <= minutes < _LONGEST_SILENCE_MIN
    return minutes if is_silent else None


def place_of(card: FloorCard, now_ms: int) -> tuple[int, int]:
    """Return a table's sorting key on the floor: by what it needs, then by number."""
    return _PLACES[attention_of(card, now_ms)], card.table
