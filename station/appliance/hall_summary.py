"""Summarise terminals, alarms and the round for the station's screen. Read-only."""

import datetime as dt

from core.terms import Seconds, TableNo
from core.tournament.state.tournament import TournamentState
from core.tournament.timeline import time_left
from station.appliance.status import RoundStatus
from station.hall.station_service import StationService
from station.projections.floor_cards import FloorCard, SheetState
from station.projections.terminal_cards import TerminalLink

_ALL_TABLES = TableNo(0)
"""The key of extra time for all tables; that for a single table is ignored."""
_OUT = frozenset({TerminalLink.AWAY, TerminalLink.NONE})


def terminals_here(service: StationService) -> tuple[int, int]:
    """Return the numbers of connected and disconnected terminals."""
    links = [card.link for card in service.terminals()]
    here = sum(link not in _OUT for link in links)
    return here, len(links) - here


def alarms(service: StationService) -> int:
    """Return the number of terminals and buses with an alarm."""
    return sum(bool(card.alarm) for card in service.terminals()) + len(service.troubles.bus_alarms())


def round_look(service: StationService) -> RoundStatus | None:
    """Return the status of the round in the newest tournament, or None if there is no tournament."""
    state = next(iter(service.tournaments()), None)
    if state is None:
        return None
    cards = service.floor(state.tournament)
    ends_ms, left_s = _time(service, state, cards)
    published = state.published_rounds
    return RoundStatus(
        tournament=state.name,
        number=published[-1].round if published else 0,
        tables=len(cards),
        done=sum(card.sheet not in {SheetState.PLAYING, SheetState.PROPOSED} for card in cards),
        calls=sum(_calls(card) for card in cards),
        ends_ms=ends_ms,
        left_s=left_s,
        is_game=service.rules(state.tournament).unit == "game",
    )


def clock_runs(service: StationService) -> bool:
    """Return whether the station's clock is timing any table."""
    return any(
        card.time is not None and card.time.runs and card.sheet is SheetState.PLAYING
        for state in service.tournaments()
        for card in service.floor(state.tournament)
    )


def _time(
    service: StationService, state: TournamentState, cards: tuple[FloorCard, ...]
) -> tuple[int | None, int | None]:
    """Return when the hall's time ends (wall clock, ms), or the seconds left while it is paused."""
    running, minutes = state.running_round, state.waivers.time_limit_min
    wall_ms = next((card.time.wall_ms for card in cards if card.time is not None), None)
    if running is None or minutes is None or wall_ms is None:
        return None, None
    now = dt.datetime.fromtimestamp(wall_ms / 1000, dt.UTC)
    limit = Seconds(60 * minutes)
    left = time_left(service.history(state.tournament), running.round, _ALL_TABLES, limit, now)
    if left.clock.is_started and not left.clock.is_held:
        # To the second, as recalculating it must not look like a change.
        return round(wall_ms / 1000 + left.left_s) * 1000, None
    return None, left.left_s


def _calls(card: FloorCard) -> bool:
    return card.rings and not card.coming
