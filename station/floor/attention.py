"""Decide which tables need a judge, and render each table's HTML once for all pages with the same view.

On the floor, tables that need a judge come first, and finished ones last.
"""

import enum
from typing import Final

from core.game.orders import Power
from core.game.state.game import Phase
from core.rule_set import RecordMode
from core.terms import GameId
from station.accounts.permissions import Permission
from station.projections.cards import FloorCard, SheetState, TerminalLink
from station.web.site import permissions_of_request
from station.web.tournament_context import TournamentContext

_CSRF_PLACE: Final = "<!-- csrf -->"
"""The placeholder for the CSRF field, which differs by browser."""
_PLACES_PER_STEP: Final = 100_000
_MOST_TABLES: Final = 2_000
_MINUTE_MS: Final = 60_000
_SILENT_MIN: Final = {RecordMode.FULL: 8, RecordMode.LIGHT: 25}
"""Minutes without an entry after which players may have forgotten the terminal, by record mode."""
_LONGEST_SILENCE_MIN: Final = 24 * 60
"""A limit for implausible silence, as a terminal whose clock is not set records wrong times."""


class Attention(enum.Enum):
    """The needs of a table, in the order of the floor."""

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
    """Return a table's sorting key on the floor: what it needs, then its number."""
    return _PLACES[attention_of(card, now_ms)], card.table


class FloorLook(enum.Enum):
    """The ways to show the tables on the floor."""

    ROWS = "rows"
    CARDS = "cards"
    PLAN = "plan"
    """Each table at its place on the plan of the hall."""


_TEMPLATES: Final = {FloorLook.ROWS: "_row", FloorLook.CARDS: "_card", FloorLook.PLAN: "_tile"}


class TablePictures:
    """A cache of each table's HTML, by look, language and permissions. ``made`` counts rendered templates."""

    def __init__(self) -> None:
        self._kept: dict[GameId, dict[object, tuple[FloorCard, tuple[Attention, int | None], str]]] = {}
        self.made = 0

    def html(self, here: TournamentContext, card: FloorCard, look: FloorLook, csrf_input: str) -> str:
        """Return a table's HTML, with ``csrf_input`` in each of its forms."""
        now_ms = here.service.live_floor.now_ms()
        attention, silent_min = attention_of(card, now_ms), silent_minutes(card, now_ms)
        key: tuple[FloorLook, str, frozenset[Permission]] = (
            look,
            here.words.language,
            permissions_of_request(here.request),
        )
        of_game = self._kept.setdefault(card.game_id, {})
        kept = of_game.get(key)
        if kept is None or kept[0] is not card or kept[1] != (attention, silent_min):
            step, table = place_of(card, now_ms)
            markup = here.part(
                f"judge/{_TEMPLATES[look]}.html",
                _CSRF_PLACE,
                c=card,
                attention=attention,
                place=step * _PLACES_PER_STEP + table,
                silent_min=silent_min,
            )
            kept = of_game[key] = (card, (attention, silent_min), " ".join(markup.split()))
            self.made += 1
            if len(self._kept) > _MOST_TABLES:
                del self._kept[next(iter(self._kept))]
        return kept[2].replace(_CSRF_PLACE, csrf_input)
