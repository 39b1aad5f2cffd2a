"""The check-in desk of a tournament: presence, requests to leave, applications to play, and players' codes.

None of this is a step of the tournament or affects draws, money or ranks; only a judge's answer is a step.
"""

import asyncio
import enum
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from typing import Final

import msgspec
from msgspec.structs import replace

from base.errors import Refused
from core.terms import PlayerId, TournamentId
from core.tournament.state.prizes import PrizeGroup
from core.tournament.state.rounds import DrawnTable
from core.tournament.state.tournament import Entrant, TournamentState
from station.hall.station_context import StationContext
from station.imports.findings import PrivateFacts, PrivateField
from station.imports.private_columns import LONGEST_NOTE, is_email
from station.store.settings import Settings

_SETTING: Final = "desk/"
_RECENT_MS: Final = 1_000
_MOST_APPLICATIONS: Final = 500
"""The most waiting applications; more would come from a script rather than from people."""


class PresenceState(enum.Enum):
    """A player's presence on the day."""

    HERE = "here"
    NOT_YET = "not yet"
    NOT_COMING = "not coming"


class Presence(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player's presence as last set.

    by: the judge who set it, or empty for the player.
    before: the state that it replaced, or None if nothing was known.
    with_others: set by one press for everyone who was missing.
    """

    state: PresenceState
    at_ms: int
    by: str = ""
    before: PresenceState | None = None
    with_others: bool = False


class Application(msgspec.Struct, frozen=True):
    """An application to play. ``number`` is its id."""

    number: int
    name: str
    club: str
    at_ms: int
    email: str = ""
    newcomer: bool = False


def facts_typed(facts: PrivateFacts, typed: Mapping[str, str]) -> PrivateFacts:
    """Return facts with the fields of a form, in which a missing field changes nothing. Raises Refused."""
    note, email = typed.get("note", facts.note), typed.get("email", facts.email)
    if len(note) > LONGEST_NOTE:
        raise Refused(DeskRefusal.NOTE_TOO_LONG, length=len(note), most=LONGEST_NOTE)
    if email and not is_email(email):
        raise Refused(DeskRefusal.NO_EMAIL, text=email[:80])
    paid = typed["paid"] == "yes" if "paid" in typed else facts.paid
    newcomer = typed["newcomer"] == "yes" if "newcomer" in typed else facts.newcomer
    return PrivateFacts(paid, note, email, newcomer)


class DeskRefusal(enum.Enum):
    """The reasons for refusing something at the desk, as English sentences for players or judges."""

    NO_SELF_CHECK_IN = "Please check in at the desk."
    NO_REGISTRATION = "Registration is closed. Ask a judge."
    TOO_MANY = "Too many people are waiting to be registered. Please ask a judge."
    NO_NAME = "Please enter your name."
    NO_CONSENT = "Please agree that your name is shown on public pages, or register at the desk."
    WRONG_KEY = "That isn't the right code, or the judge doesn't show own results. Ask a judge for your code."
    TWICE = "{name} is already registered or waiting. If that's somebody else, add something to the name."
    NO_EMAIL = "That isn't an e-mail address: {text}."
    NOTE_TOO_LONG = "The note has {length} characters; the limit is {most}."
    NOBODY = "No name, club or number matches “{typed}”. Try the number, or scan the badge."
    OTHER_BADGE = "This badge is from another tournament: {tournament}."
    LEFT = "{name} isn't in the tournament any more."
    GONE = "This application has already been answered."
    OUT = "You aren't in the tournament any more. If that's wrong, ask a judge."
    NOT_UNDONE = "Nothing was undone: {name} was changed meanwhile."
    NONE_UNDONE = "Nothing was undone: these players' check-in was undone or changed meanwhile."
    MISSING_UNDECIDED = "Not everyone has checked in ({count} missing). Decide whether they are seated."


class DeskRecord(msgspec.Struct, frozen=True):
    """A desk's stored state: what is known of the players, and what they may do without a judge.

    leaving: when players asked to leave, in milliseconds.
    applied: the number of applications so far, including answered ones.
    keys: how often each player's private code was replaced.
    capacity: the number of places, or 0 for no limit.
    private_fields: the facts that judges keep about players.
    """

    presence: Mapping[PlayerId, Presence] = {}
    leaving: Mapping[PlayerId, int] = {}
    applications: tuple[Application, ...] = ()
    applied: int = 0
    self_check_in: bool = False
    registration: bool = False
    own_results: bool = False
    keys: Mapping[PlayerId, int] = {}
    capacity: int = 0
    private_fields: frozenset[PrivateField] = frozenset()
    private: Mapping[PlayerId, PrivateFacts] = {}

    def state_of(self, player: PlayerId) -> PresenceState:
        presence = self.presence.get(player)
        return PresenceState.NOT_YET if presence is None else presence.state

    def count(self, state: PresenceState) -> int:
        return sum(presence.state is state for presence in self.presence.values())

    @property
    def has_begun(self) -> bool:
        """Return whether check-in has begun; until then, nobody counts as missing."""
        return bool(self.presence)

    def without_player(self, player: PlayerId) -> "DeskRecord":
        """Return the record without a removed player, whose id may be given to another one."""
        rest = {other: presence for other, presence in self.presence.items() if other != player}
        private = {other: facts for other, facts in self.private.items() if other != player}
        return replace(self.with_leaving(player, None).with_new_key(player), presence=rest, private=private)

    def with_newcomers(self, state: TournamentState) -> TournamentState:
        """Return the state with the newcomers that publishing the ranking would record now."""
        if state.is_published or not any(prize.group is PrizeGroup.NEWCOMERS for prize in state.prizes):
            return state
        players = (entrant.player for entrant in state.entrants)
        return replace(state, newcomers=tuple(one for one in players if self.facts_of(one).newcomer))

    def without_players(self, players: Iterable[PlayerId]) -> "DeskRecord":
        """Return the record without what it knows of others, whose registration was undone, by these ids."""
        known = self.presence.keys() | self.leaving.keys() | self.private.keys()
        return reduce(DeskRecord.without_player, (player for player in players if player in known), self)

    def free_places(self, contenders: Iterable[Entrant]) -> int | None:
        """Return the number of free places, or None without a limit. A player who isn't coming needs none."""
        if not self.capacity:
            return None
        coming = sum(self.state_of(one.player) is not PresenceState.NOT_COMING for one in contenders)
        return max(0, self.capacity - coming)

    def applicants(self, contenders: Iterable[Entrant]) -> tuple[Application, ...]:
        """Return the applications that fit into the free places, in order."""
        return self.applications[: self.free_places(contenders)]

    def waiting_list(self, contenders: Iterable[Entrant]) -> tuple[Application, ...]:
        """Return the applications beyond the free places, in order."""
        return self.applications[len(self.applicants(contenders)) :]

    def facts_of(self, player: PlayerId) -> PrivateFacts:
        return self.private.get(player, PrivateFacts())

    def with_facts(self, facts: Mapping[PlayerId, PrivateFacts]) -> "DeskRecord":
        """Return the record with players' private facts, of which only fields in use are kept."""
        return replace(self, private={**self.private, **facts}).with_private_fields(self.private_fields)

    def with_private_fields(self, fields: frozenset[PrivateField]) -> "DeskRecord":
        """Return the record that keeps these fields, and forgets what was entered in the others."""
        private = {
            player: PrivateFacts(**{one.value: getattr(facts, one.value) for one in fields})
            for player, facts in self.private.items()
        }
        private = {player: facts for player, facts in private.items() if facts != PrivateFacts()}
        return replace(self, private_fields=fields, private=private)

    def with_copied(
        self, other: "DeskRecord", ids: Mapping[PlayerId, PlayerId], *, with_settings: bool
    ) -> "DeskRecord":
        """Return the record with the presence and private facts from another tournament.

        ids: the players' ids there, each with the one here.
        with_settings: also copy the desk's settings.
        """
        own = self.without_players(ids.values())
        presence = {ids[player]: known for player, known in other.presence.items() if player in ids}
        private = {ids[player]: facts for player, facts in other.private.items() if player in ids}
        fields = own.private_fields | (other.private_fields if private or with_settings else frozenset())
        copied = replace(
            own,
            presence={**own.presence, **presence},
            private_fields=fields,
            private={**own.private, **private},
        )
        if not with_settings:
            return copied
        return replace(
            copied,
            self_check_in=other.self_check_in,
            registration=other.registration,
            own_results=other.own_results,
            capacity=other.capacity,
        )

    def with_presence(self, player: PlayerId, presence: Presence) -> "DeskRecord":
        """Return the record with a player's presence, or unchanged if it already has that state."""
        former = self.presence.get(player)
        if former is not None and former.state is presence.state:
            return self
        before = None if former is None else former.state
        return replace(self, presence={**self.presence, player: replace(presence, before=before)})

    def without_arrival(self, player: PlayerId, at_ms: int, *, by: str, now_ms: int) -> "DeskRecord":
        """Return the record after ``by`` undid a check-in, or unchanged if the player was changed since."""
        presence = self.presence.get(player)
        if presence is None or (presence.state, presence.at_ms) != (PresenceState.HERE, at_ms):
            return self
        rest = {other: one for other, one in self.presence.items() if other != player}
        if presence.before is not None:
            rest[player] = Presence(presence.before, now_ms, by)
        return replace(self, presence=rest)

    def checked_in_together(self, at_ms: int) -> tuple[PlayerId, ...]:
        """Return the players whom one press has checked in, and of whom nothing was changed since."""
        return tuple(
            player
            for player, one in self.presence.items()
            if one.with_others and one.state is PresenceState.HERE and one.at_ms == at_ms
        )

    def last_arrivals(self, most: int) -> list[tuple[PlayerId, Presence]]:
        """Return the players who were checked in one by one, newest first."""
        one_by_one = (
            (player, one)
            for player, one in self.presence.items()
            if one.state is PresenceState.HERE and not one.with_others
        )
        return sorted(one_by_one, key=lambda pair: pair[1].at_ms, reverse=True)[:most]

    def with_leaving(self, player: PlayerId, at_ms: int | None) -> "DeskRecord":
        """Return the record with a player's request to leave, or without it if ``at_ms`` is None."""
        rest = {other: at for other, at in self.leaving.items() if other != player}
        if at_ms is None:
            return replace(self, leaving=rest)
        return self if player in self.leaving else replace(self, leaving={**rest, player: at_ms})

    def with_application(
        self, name: str, club: str, at_ms: int, email: str = "", *, newcomer: bool = False
    ) -> "DeskRecord":
        """Return the record with a new application. Raises Refused."""
        if not self.registration:
            raise Refused(DeskRefusal.NO_REGISTRATION)
        if len(self.applications) >= _MOST_APPLICATIONS:
            raise Refused(DeskRefusal.TOO_MANY)
        number = self.applied + 1
        waiting = (*self.applications, Application(number, name, club, at_ms, email, newcomer))
        return replace(self, applications=waiting, applied=number)

    def with_new_key(self, player: PlayerId) -> "DeskRecord":
        return replace(self, keys={**self.keys, player: self.keys.get(player, 0) + 1})

    def with_returned(self, application: Application) -> "DeskRecord":
        """Return the record after restoring an application whose player could not be registered."""
        waiting = sorted((*self.applications, application), key=lambda one: one.number)
        return replace(self, applications=tuple(waiting))

    def without_application(self, number: int) -> "DeskRecord":
        """Return the record without an application. Raises Refused if it was answered already."""
        rest = tuple(one for one in self.applications if one.number != number)
        if len(rest) == len(self.applications):
            raise Refused(DeskRefusal.GONE)
        return replace(self, applications=rest)


class Desk:
    """The desks of all tournaments, stored in the settings that all stations of a database share."""

    def __init__(self, context: StationContext) -> None:
        self._context = context
        self._kept: dict[TournamentId, tuple[int, DeskRecord]] = {}

    @property
    def now_ms(self) -> int:
        return self._context.parts.clock.wall_ms()

    async def record(self, tournament: TournamentId) -> DeskRecord:
        """Return a tournament's record, which is empty at first."""
        record = await asyncio.to_thread(read_desk, self._context.parts.settings, tournament)
        self._kept[tournament] = (self._context.parts.clock.monotonic_ms(), record)
        return record

    async def recent_record(self, tournament: TournamentId) -> DeskRecord:
        """Return a record that is at most a second old, as thousands of phones may ask for it."""
        read_ms, record = self._kept.get(tournament, (-_RECENT_MS, DeskRecord()))
        if self._context.parts.clock.monotonic_ms() - read_ms < _RECENT_MS:
            return record
        return await self.record(tournament)

    def played(self, state: TournamentState) -> frozenset[PlayerId]:
        """Return the players of the last two rounds who were seen at their tables.

        They signed in at a terminal, or their record sheet shows that they played and did not leave.
        """
        players: set[PlayerId] = set()
        for drawn in state.published_rounds[-2:]:
            sheets = {sheet.game: sheet.result for sheet in drawn.sheets}
            for table in drawn.tables:
                result = sheets.get(table.game)
                if result is not None:
                    players.update(result.players)
                    players.difference_update(result.players[one.seat - 1] for one in result.abandonments)
                else:
                    players.update(self._signed_in(table))
        return frozenset(players)

    def _signed_in(self, table: DrawnTable) -> Iterator[PlayerId]:
        track = self._context.log_of(table.game)
        for seat in () if track is None or track.state is None else track.state.seats:
            if seat.checked_in and not seat.passive:
                yield seat.player

    def missing(self, state: TournamentState, record: DeskRecord) -> tuple[PlayerId, ...]:
        """Return the absent contenders in order of registration; none before check-in begins."""
        if not record.has_begun:
            return ()
        played = self.played(state)
        return tuple(
            entrant.player for entrant in state.contenders if not self.is_here(record, entrant.player, played)
        )

    @staticmethod
    def is_here(record: DeskRecord, player: PlayerId, played: frozenset[PlayerId]) -> bool:
        """Return whether a player is present: as set at the desk, or else as seen at a table."""
        presence = record.presence.get(player)
        return player in played if presence is None else presence.state is PresenceState.HERE

    async def change(
        self, tournament: TournamentId, change: Callable[[DeskRecord], DeskRecord]
    ) -> DeskRecord:
        """Change a record and return it. Raises what ``change`` raises.

        ``change`` is called again if another station has changed the record meanwhile.
        """
        record = await asyncio.to_thread(
            self._context.parts.settings.edit, f"{_SETTING}{tournament}", DeskRecord, "{}", change
        )
        self._kept[tournament] = (self._context.parts.clock.monotonic_ms(), record)
        self._context.feed.publish("desk")
        return record

    async def copy(
        self,
        source: TournamentId,
        target: TournamentId,
        ids: Mapping[PlayerId, PlayerId],
        *,
        with_settings: bool = False,
    ) -> None:
        """Copy to another tournament what its record takes over; see ``DeskRecord.with_copied``."""
        other = await self.record(source)
        await self.change(target, lambda own: own.with_copied(other, ids, with_settings=with_settings))

    async def introduce(self, tournament: TournamentId, facts: Mapping[PlayerId, PrivateFacts]) -> None:
        """Set the private facts of newly registered players, of whom nothing else is known yet."""
        record = await self.record(tournament)
        if record.without_players(facts).with_facts(facts) != record:
            await self.change(tournament, lambda record: record.without_players(facts).with_facts(facts))

    async def with_newcomers(self, state: TournamentState) -> TournamentState:
        """Return the state with the newcomers that publishing the ranking would record now."""
        return (await self.record(state.tournament)).with_newcomers(state)

    async def set_presence(
        self, tournament: TournamentId, player: PlayerId, state: PresenceState, by: str = ""
    ) -> DeskRecord:
        """Set a player's presence. ``by`` is the judge who set it, or empty for the player."""
        presence = Presence(state, self.now_ms, by)
        return await self.change(tournament, lambda record: record.with_presence(player, presence))


def read_desk(settings: Settings, tournament: TournamentId) -> DeskRecord:
    """Return the record of a tournament. Blocks."""
    return settings.read(f"{_SETTING}{tournament}", DeskRecord, "{}")
