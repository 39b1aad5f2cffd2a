"""Seasons: several tournaments with a rule for points. Only published rankings count.

Tournaments of other stations come as proof packs, of which a season keeps the verified ranking, the ejections
and the hashes of the judge's steps.
"""

import asyncio
import enum
import hashlib
import secrets
from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from base.errors import Refused
from core.proof.season_pack import PackEjection, SeasonPack, counted_packs, ranked_players
from core.terms import TournamentId
from core.tournament.season import (
    USUAL_RULE,
    PersonAnswer,
    RankedPlayer,
    SamePerson,
    SeasonRow,
    people_to_ask_about,
    read_season_rule,
    season_ranking,
)
from core.tournament.state.names import likeness_keys
from core.tournament.state.tournament import Stage, TournamentState
from station.hall.station_context import StationContext
from station.projections.tournament_logs import tournament_stream
from station.seasons.pack_process import read_in_process
from station.web.long_tasks import TaskProgress, TaskStep

_SETTING: Final = "seasons"
_PACKS: Final = "season-packs/"
MOST_PACKS: Final = 100
_MOST_ANSWERS: Final = 1_000
_MOST_REFUSED: Final = 100
_MOST: Final = 200
LONGEST_RULE: Final = 8_000


class SeasonRefusal(enum.Enum):
    """The reasons for refusing a change to a season, as English sentences."""

    GONE = "That season has been removed."
    TOO_MANY = "There are {count} seasons already. Remove one first."
    NO_NAME = "Give the season a name, such as “League 2026”."
    NO_FILES = "Choose the proof packs first."
    NO_PERSON = "Choose two players from the list."
    ONE_TOURNAMENT = "They can't be one person: they played in the same tournament."
    TOO_MANY_ANSWERS = "There are {count} answers already. Undo some first."
    LONG_RULE = "The points system has {length} characters; the limit is {most}."


class Season(msgspec.Struct, frozen=True):
    """A season. ``key`` is its id in addresses, ``rule`` its points system in TOML."""

    key: str
    name: str
    tournaments: tuple[TournamentId, ...] = ()
    rule: str = USUAL_RULE
    answers: tuple[PersonAnswer, ...] = ()


class RefusedPack(msgspec.Struct, frozen=True):
    """A file that was left out. problem: the fault that verification found, in English."""

    file: str
    problem: str


class SeasonPacks(msgspec.Struct, frozen=True):
    """The packs of a season, and the files of the last upload that were left out."""

    packs: tuple[SeasonPack, ...] = ()
    refused: tuple[RefusedPack, ...] = ()


class _EjectionsOfPack(msgspec.Struct, frozen=True):
    name: str
    date: str
    ejections: tuple[PackEjection, ...]


class _EjectionsOfSeason(msgspec.Struct, frozen=True):
    """The part of ``SeasonPacks`` with the ejections; the rest isn't decoded."""

    packs: tuple[_EjectionsOfPack, ...] = ()


class ReportedEjection(msgspec.Struct, frozen=True):
    """An ejection from a tournament of another station. player: who is registered here under a like name."""

    player: str
    tournament: str
    date: str
    ejection: PackEjection


class SeasonTournament(msgspec.Struct, frozen=True):
    """A tournament that counts. is_here: it is this station's, and has a public page."""

    tournament: TournamentId
    name: str
    date: str
    is_here: bool
    players: tuple[RankedPlayer, ...]


def checked(season: Season) -> Season:
    """Return a season whose values have been checked. Raises Refused, or BadData for an invalid rule."""
    if not season.name:
        raise Refused(SeasonRefusal.NO_NAME)
    if len(season.rule) > LONGEST_RULE:
        raise Refused(SeasonRefusal.LONG_RULE, length=len(season.rule), most=LONGEST_RULE)
    read_season_rule(season.rule)
    return replace(season, name=season.name[:60])


class SeasonTable(msgspec.Struct, frozen=True):
    """A season's ranking.

    tournaments: the published ones, oldest first.
    waiting: the names of those not yet published.
    contradicting: packs of one tournament that contradict each other, and don't count.
    similar: pairs that may be one person, whose points are in two rows.
    """

    season: Season
    tournaments: tuple[SeasonTournament, ...]
    waiting: tuple[str, ...]
    contradicting: tuple[SeasonPack, ...]
    rows: tuple[SeasonRow, ...]
    similar: tuple[tuple[RankedPlayer, RankedPlayer], ...]

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
        known = tuple(states[one] for one in season.tournaments if one in states)
        packs = await self.packs(season.key)
        return await asyncio.to_thread(_table, season, known, packs.packs)

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
            return tuple(
                replace(wanted, answers=one.answers) if one.key == wanted.key else one for one in known
            )

        await self._change(_changed)

    async def remove(self, key: str) -> None:
        """Remove a season and its packs."""
        await self._change(lambda known: tuple(one for one in known if one.key != key))
        await self._change_packs(key, lambda _: SeasonPacks())

    async def answer(self, season: Season, answer: PersonAnswer) -> None:
        """Join or part two people. Raises Refused if both played in one tournament."""
        pair = {answer.first, answer.second}
        kept = tuple(one for one in season.answers if {one.first, one.second} != pair)
        if len(kept) >= _MOST_ANSWERS:
            raise Refused(SeasonRefusal.TOO_MANY_ANSWERS, count=_MOST_ANSWERS)
        if isinstance(answer, SamePerson):
            before = await self.table(replace(season, answers=kept))
            after = await self.table(replace(season, answers=(*kept, answer)))
            if len(before.rows) == len(after.rows):
                raise Refused(SeasonRefusal.ONE_TOURNAMENT)
        await self._change_answers(
            season.key,
            lambda known: (*(one for one in known if {one.first, one.second} != pair), answer),
        )

    async def undo_answer(self, key: str, answer: str) -> None:
        """Remove an answer, named by ``answer_key``."""
        await self._change_answers(
            key, lambda known: tuple(one for one in known if answer_key(one) != answer)
        )

    async def _change_answers(
        self, key: str, change: Callable[[tuple[PersonAnswer, ...]], tuple[PersonAnswer, ...]]
    ) -> None:
        await self._change(
            lambda known: tuple(
                replace(one, answers=change(one.answers)) if one.key == key else one for one in known
            )
        )

    async def packs(self, key: str) -> SeasonPacks:
        settings = self._context.parts.settings
        return await asyncio.to_thread(settings.read, f"{_PACKS}{key}", SeasonPacks, "{}")

    async def remove_pack(self, key: str, digest: str) -> None:
        """Remove a season's pack with this digest."""
        await self._change_packs(
            key, lambda known: replace(known, packs=tuple(one for one in known.packs if one.digest != digest))
        )

    async def upload(self, key: str, files: list[tuple[str, bytes]], progress: TaskProgress) -> None:
        """Verify packs, one after the other, and add them. ``files`` are names and contents."""
        await self._change_packs(key, lambda known: replace(known, refused=()))
        many, everything = len(files), sum(len(content) for _, content in files) or 1
        # Contents are dropped as soon as they are read, since together they may be large.
        while files:
            rest = sum(len(content) for _, content in files[1:])
            name, content = files.pop(0)
            size, until = len(content), 1 - rest / everything
            progress.begin(TaskStep.PACKS, many, size=size, until=until)
            progress.count(many - len(files))
            read = await read_in_process(content)
            del content
            await self._change_packs(key, await asyncio.to_thread(self._outcome, name, read))

    def _outcome(self, file: str, read: SeasonPack | str) -> Callable[[SeasonPacks], SeasonPacks]:
        if isinstance(read, str):
            return _with_refused(file, read)
        for state in self._context.tournament_states():
            opening = self._context.parts.store.entries(tournament_stream(state.tournament), 0, 1)
            if opening and opening[0].hash.hex() == read.steps[0]:
                return _with_refused(file, f"{state.name} is a tournament of this station; tick it instead")
        return _with_pack(file, read)

    async def _change_packs(self, key: str, change: Callable[[SeasonPacks], SeasonPacks]) -> None:
        settings = self._context.parts.settings
        await asyncio.to_thread(settings.edit, f"{_PACKS}{key}", SeasonPacks, "{}", change)

    async def ejections_like(self, names: Sequence[str]) -> tuple[ReportedEjection, ...]:
        """Return the ejections in packs of players whose names are like one of these."""
        keys = [one.key for one in await self.all()]
        return await asyncio.to_thread(self._find_ejections, keys, names) if keys else ()

    def _find_ejections(self, keys: Sequence[str], names: Sequence[str]) -> tuple[ReportedEjection, ...]:
        read = self._context.parts.settings.read
        packs = [pack for key in keys for pack in read(f"{_PACKS}{key}", _EjectionsOfSeason, "{}").packs]
        if not any(pack.ejections for pack in packs):
            return ()
        wanted = {key: name for name in names for key in likeness_keys(name)}
        reported = dict[ReportedEjection, None]()
        for pack in packs:
            for one in pack.ejections:
                name = next((wanted[key] for key in likeness_keys(one.name) if key in wanted), None)
                if name is not None:
                    reported[ReportedEjection(name, pack.name, pack.date, one)] = None
        return tuple(reported)

    async def _change(self, change: Callable[[tuple[Season, ...]], tuple[Season, ...]]) -> None:
        def _changed(known: tuple[Season, ...]) -> tuple[Season, ...]:
            wanted = change(known)
            if len(wanted) > _MOST:
                raise Refused(SeasonRefusal.TOO_MANY, count=_MOST)
            return wanted

        settings = self._context.parts.settings
        await asyncio.to_thread(settings.edit, _SETTING, tuple[Season, ...], "[]", _changed)


def answer_key(answer: PersonAnswer) -> str:
    return hashlib.sha256(msgspec.json.encode(answer)).hexdigest()[:16]


def _with_refused(file: str, problem: str) -> Callable[[SeasonPacks], SeasonPacks]:
    refused = RefusedPack(file[:200], problem[:500])
    return lambda known: replace(known, refused=(*known.refused, refused)[-_MOST_REFUSED:])


def _with_pack(file: str, pack: SeasonPack) -> Callable[[SeasonPacks], SeasonPacks]:
    """Return the change that adds a pack, unless a kept one has all its steps, and drops those it extends."""

    def _added(known: SeasonPacks) -> SeasonPacks:
        if any(one.steps[: len(pack.steps)] == pack.steps for one in known.packs):
            return known
        kept = tuple(one for one in known.packs if pack.steps[: len(one.steps)] != one.steps)
        if len(kept) >= MOST_PACKS:
            return _with_refused(file, f"a season keeps at most {MOST_PACKS} packs")(known)
        return replace(known, packs=(*kept, pack))

    return _added


def _table(season: Season, own: Sequence[TournamentState], packs: Sequence[SeasonPack]) -> SeasonTable:
    counted = counted_packs(packs)
    over = [state for state in own if state.stage is Stage.PUBLISHED]
    tournaments = [
        SeasonTournament(one.tournament, one.name, one.date, is_here=True, players=tuple(ranked_players(one)))
        for one in over
    ]
    tournaments += (
        SeasonTournament(pack.tournament, pack.name, pack.date, is_here=False, players=pack.players)
        for pack in counted.packs
    )
    tournaments.sort(key=lambda one: one.date)
    rankings = {one.tournament: one.players for one in tournaments}
    return SeasonTable(
        season,
        tuple(tournaments),
        tuple(state.name for state in own if state.stage is not Stage.PUBLISHED),
        counted.contradicting,
        season_ranking(read_season_rule(season.rule), rankings, season.answers),
        people_to_ask_about(rankings, season.answers),
    )
