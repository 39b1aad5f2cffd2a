"""Seasons: several tournaments with a rule for points. Only published rankings count."""

import asyncio
import enum
import secrets
from collections.abc import Callable, Iterator, Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from base.errors import Refused
from core.editions.loader import rules_of
from core.terms import TournamentId
from core.tournament.season import (
    USUAL_RULE,
    RankedPlayer,
    SeasonRow,
    alike_names,
    read_season_rule,
    season_ranking,
)
from core.tournament.standings.standings import standings_of
from core.tournament.state.tournament import Stage, TournamentState
from station.hall.station_context import StationContext

_SETTING: Final = "seasons"
_MOST: Final = 200
LONGEST_RULE: Final = 8_000


class SeasonRefusal(enum.Enum):
    """The reasons for refusing a change to a season, as English sentences."""

    GONE = "That season has been removed."
    TOO_MANY = "There are {count} seasons already. Remove one first."
    NO_NAME = "Give the season a name, such as “League 2026”."
    NO_TOURNAMENTS = "Tick at least one tournament."
    LONG_RULE = "The points system has {length} characters; the limit is {most}."


class Season(msgspec.Struct, frozen=True):
    """A season. ``key`` is its id in addresses, ``rule`` its points system in TOML."""

    key: str
    name: str
    tournaments: tuple[TournamentId, ...] = ()
    rule: str = USUAL_RULE


def checked(season: Season) -> Season:
    """Return a season whose values have been checked. Raises Refused, or BadData for an invalid rule."""
    if not season.name:
        raise Refused(SeasonRefusal.NO_NAME)
    if not season.tournaments:
        raise Refused(SeasonRefusal.NO_TOURNAMENTS)
    if len(season.rule) > LONGEST_RULE:
        raise Refused(SeasonRefusal.LONG_RULE, length=len(season.rule), most=LONGEST_RULE)
    read_season_rule(season.rule)
    return replace(season, name=season.name[:60])


class SeasonTable(msgspec.Struct, frozen=True):
    """A season's ranking.

    tournaments: the published ones, oldest first.
    waiting: the names of those not yet published.
    """

    season: Season
    tournaments: tuple[TournamentState, ...]
    waiting: tuple[str, ...]
    rows: tuple[SeasonRow, ...]

    @property
    def has_dropped(self) -> bool:
        """Return whether any player has a result that doesn't count because better ones do."""
        return any(not one.counts for row in self.rows for one in row.results.values())


class Seasons:
    """The seasons of the station, shared by all stations on one database."""

    def __init__(self, context: StationContext) -> None:
        self._context = context

    async def all(self) -> tuple[Season, ...]:
        """Return all seasons, newest first."""
        settings = self._context.parts.settings
        return tuple(reversed(await asyncio.to_thread(settings.read, _SETTING, tuple[Season, ...], "[]")))

    async def find(self, key: str) -> Season | None:
        """Return a season, or None for an unknown key."""
        return next((one for one in await self.all() if one.key == key), None)

    async def table(self, season: Season) -> SeasonTable:
        """Return a season's ranking from the published tournaments."""
        states = {one.tournament: one for one in self._context.tournament_states()}
        known = sorted(
            (states[one] for one in season.tournaments if one in states), key=lambda state: state.date
        )
        over = tuple(state for state in known if state.stage is Stage.PUBLISHED)
        waiting = tuple(state.name for state in known if state.stage is not Stage.PUBLISHED)
        rows = await asyncio.to_thread(_rows, season, over)
        return SeasonTable(season, over, waiting, rows)

    async def alike(self, season: Season) -> tuple[tuple[str, str], ...]:
        """Return pairs of similar names, which may be one person whose points are in two rows."""
        states = (one for one in self._context.tournament_states() if one.tournament in season.tournaments)
        names = [[entrant.name for entrant in state.entrants] for state in states]
        return await asyncio.to_thread(alike_names, names)

    async def add(self, season: Season) -> Season:
        """Add a season under a new key. Raises Refused or BadData."""
        made = await asyncio.to_thread(checked, replace(season, key=secrets.token_hex(4)))
        await self._change(lambda known: (*known, made))
        return made

    async def change(self, season: Season) -> None:
        """Replace a season with the same key. Raises Refused or BadData."""
        wanted = await asyncio.to_thread(checked, season)

        def _changed(known: tuple[Season, ...]) -> tuple[Season, ...]:
            if all(one.key != wanted.key for one in known):
                raise Refused(SeasonRefusal.GONE)
            return tuple(wanted if one.key == wanted.key else one for one in known)

        await self._change(_changed)

    async def remove(self, key: str) -> None:
        await self._change(lambda known: tuple(one for one in known if one.key != key))

    async def _change(self, change: Callable[[tuple[Season, ...]], tuple[Season, ...]]) -> None:
        def _changed(known: tuple[Season, ...]) -> tuple[Season, ...]:
            wanted = change(known)
            if len(wanted) > _MOST:
                raise Refused(SeasonRefusal.TOO_MANY, count=_MOST)
            return wanted

        settings = self._context.parts.settings
        await asyncio.to_thread(settings.edit, _SETTING, tuple[Season, ...], "[]", _changed)


def _rows(season: Season, over: tuple[TournamentState, ...]) -> tuple[SeasonRow, ...]:
    rankings: Mapping[TournamentId, tuple[RankedPlayer, ...]] = {
        state.tournament: tuple(_ranked(state)) for state in over
    }
    return season_ranking(read_season_rule(season.rule), rankings)


def _ranked(state: TournamentState) -> Iterator[RankedPlayer]:
    people = {entrant.player: entrant for entrant in state.entrants}
    for row in standings_of(state, rules_of(state.rules)).rows:
        if row.rank is not None:
            person = people[row.player]
            yield RankedPlayer(person.name, person.club, row.rank.first, row.rank.last, int(row.final_score))
