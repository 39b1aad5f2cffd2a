"""Opening a tournament, changing its rules, registering players, and waivers."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Self

import msgspec
from msgspec.structs import replace

from base.errors import Refused
from core.editions.edition import Edition, Schedule, Waiver
from core.rule_set import RuleSet
from core.terms import PlayerId, TableNo, TournamentId
from core.tournament.draw.rounds import games_of_groups, most_rounds, planned_rounds, printed_rounds
from core.tournament.state.decision import (
    Decision,
    HallFacts,
    require_entrant,
    require_reason,
    require_unpublished,
)
from core.tournament.state.names import checked_club, checked_name, checked_player_name, sound_key
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.table_list import TableList, check_tables, list_from
from core.tournament.state.tournament import Entrant, Player, TournamentState, Waivers, with_entrant

MOST_PLAYERS = 20_000
_MOST_OCTETS = 200_000
"""The most octets of player data in one decision, which becomes one journal entry."""
_MOST_AT_ONCE = 1_000
"""Long lists are registered in decisions of this size, so that other requests are served in between."""
LONGEST_TIME_LIMIT_MIN = 24 * 60
"""The longest time limit, one day; anything longer is a typing error."""


class OpenTournament(msgspec.Struct, frozen=True, tag="tournament-opened", tag_field="event"):
    """Open a tournament.

    date: ISO 8601.
    unofficial: accept fewer players than the edition's minimum (D01).
    with_finals: computed; duels of the top four follow the rounds.
    tables: the hall's tables in the order of the draw; None for first_table and all that follow it.
    """

    tournament: TournamentId
    name: str
    rules: RuleSet
    date: str
    waivers: Waivers
    by: str = ""
    unofficial: bool = False
    with_finals: bool = False
    first_table: TableNo = TableNo(1)
    tables: TableList | None = None

    def decide(self, edition: Edition) -> Self:
        if self.rules.edition != edition.key:
            raise Refused(TournamentReason.OTHER_EDITION, edition=edition.key, given=self.rules.edition)
        _check_first_waivers(self.waivers, edition)
        tables = check_tables(self.hall_tables)
        return replace(
            self,
            name=checked_name(self.name),
            with_finals=edition.finals is not None,
            first_table=tables.ranges[0].first,
            tables=None if tables.is_open else tables,
        )

    @property
    def hall_tables(self) -> TableList:
        return self.tables or list_from(self.first_table)

    def apply(self) -> TournamentState:
        return TournamentState(
            tournament=self.tournament,
            name=self.name,
            rules=self.rules,
            date=self.date,
            waivers=self.waivers,
            unofficial=self.unofficial,
            with_finals=self.with_finals,
            hall_tables=self.hall_tables,
        )


class ChangeRules(Decision, frozen=True, tag="rules-changed"):
    """Replace the rules of a tournament whose first draw is neither sealed nor public.

    As for an opening, ``decide`` expects the edition of these rules.
    rules: tables of 4 stay allowed (computed) as long as the edition or the house rules stay the same.
    with_finals: computed, as for ``OpenTournament``.
    """

    rules: RuleSet
    waivers: Waivers
    unofficial: bool = False
    by: str = ""
    with_finals: bool = False

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        if state.published_rounds:
            raise Refused(TournamentReason.RULES_ARE_FIXED)
        if state.rounds:
            raise Refused(TournamentReason.RULES_OF_A_SEALED_DRAW)
        former = state.rules
        is_same = (former.edition, former.house_rules) == (self.rules.edition, self.rules.house_rules)
        rules = replace(self.rules, tables_of_four=former.tables_of_four if is_same else None)
        _check_first_waivers(self.waivers, edition)
        if (rules, self.waivers, self.unofficial) == (former, state.waivers, state.unofficial):
            raise Refused(TournamentReason.SAME_RULES)
        return replace(self, rules=rules, with_finals=edition.finals is not None)

    def apply(self, state: TournamentState) -> TournamentState:
        return replace(
            state,
            rules=self.rules,
            waivers=self.waivers,
            unofficial=self.unofficial,
            with_finals=self.with_finals,
        )


class RenameTournament(Decision, frozen=True, tag="tournament-renamed"):
    """Correct the name of the tournament, or its date (ISO 8601)."""

    name: str
    date: str
    by: str = ""

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        require_unpublished(state)
        try:
            dt.date.fromisoformat(self.date)
        except ValueError as error:
            raise Refused(TournamentReason.NO_DATE, typed=self.date) from error
        name = checked_name(self.name)
        if (name, self.date) == (state.name, state.date):
            raise Refused(TournamentReason.SAME_NAME_AND_DATE)
        return replace(self, name=name)

    def apply(self, state: TournamentState) -> TournamentState:
        return replace(state, name=self.name, date=self.date)


class ChangeWaivers(Decision, frozen=True, tag="waivers-changed"):
    """Change the number of rounds, the time limit, or how often everyone is Sheriff.

    A group also ends early this way, before everyone has been Sheriff.
    rounds_planned: computed; None before the first published draw.
    Source: Championship 2022/23 v1.4, 1.3 "Waivers"; Official Score System 2003.
    """

    waivers: Waivers
    reason: str
    by: str = ""
    rounds_planned: int | None = None

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        require_unpublished(state)
        if state.finals is not None:
            raise Refused(TournamentReason.FINALISTS_ARE_NAMED)
        reason = require_reason(self.reason)
        rounds = self.waivers.rounds
        planned = None
        printed = most_rounds(edition)
        if state.published_rounds and edition.schedule is Schedule.ONE_GROUP:
            _check_cycles_to_come(state, self.waivers.cycles or 1)
            printed = games_of_groups(state, edition, replace(self.waivers, rounds=None))
            planned = games_of_groups(state, edition, self.waivers)
        elif state.published_rounds:
            players = sum(len(table.players) for table in state.published_rounds[0].tables)
            printed = printed_rounds(players, edition, unofficial=state.unofficial)
            planned = planned_rounds(players, edition, self.waivers, unofficial=state.unofficial)
        _check_waivers(self.waivers, edition, printed)
        if rounds is not None and rounds < len(state.rounds):
            raise Refused(TournamentReason.ROUNDS_ALREADY_DRAWN, drawn=len(state.rounds), rounds=rounds)
        return replace(self, reason=reason, rounds_planned=planned)

    def apply(self, state: TournamentState) -> TournamentState:
        planned = state.rounds_planned if self.rounds_planned is None else self.rounds_planned
        return replace(state, waivers=self.waivers, rounds_planned=planned)


def _check_cycles_to_come(state: TournamentState, cycles: int) -> None:
    for entrant in state.contenders:
        times = len(entrant.sheriff_in)
        if times > cycles:
            raise Refused(
                TournamentReason.CYCLES_ALREADY_PLAYED, name=entrant.name, times=times, cycles=cycles
            )


def _check_first_waivers(waivers: Waivers, edition: Edition) -> None:
    if edition.schedule is Schedule.ONE_GROUP and waivers.rounds is not None:
        raise Refused(TournamentReason.FEWER_GAMES_LATER)
    _check_waivers(waivers, edition, most_rounds(edition))


def _check_waivers(waivers: Waivers, edition: Edition, printed: int | None) -> None:
    one_group = edition.schedule is Schedule.ONE_GROUP
    _check_cycles(waivers.cycles, one_group=one_group)
    if waivers.rounds is not None:
        if Waiver.FEWER_ROUNDS not in edition.waivers and not one_group:
            raise Refused(TournamentReason.WAIVER_NOT_ALLOWED, waiver=Waiver.FEWER_ROUNDS)
        if waivers.rounds < 1:
            raise Refused(TournamentReason.ROUNDS_OUT_OF_RANGE, rounds=waivers.rounds)
        if printed is not None and waivers.rounds > printed:
            raise Refused(TournamentReason.MORE_ROUNDS_THAN_PRINTED, rounds=waivers.rounds, printed=printed)
    if waivers.time_limit_min is not None:
        if Waiver.TIME_LIMIT not in edition.waivers:
            raise Refused(TournamentReason.WAIVER_NOT_ALLOWED, waiver=Waiver.TIME_LIMIT)
        if not 1 <= waivers.time_limit_min <= LONGEST_TIME_LIMIT_MIN:
            raise Refused(TournamentReason.TIME_LIMIT_OUT_OF_RANGE, minutes=waivers.time_limit_min)


def _check_cycles(cycles: int | None, *, one_group: bool) -> None:
    if cycles is None:
        return
    if not one_group:
        raise Refused(TournamentReason.NO_CYCLES)
    if cycles < 1:
        raise Refused(TournamentReason.CYCLES_OUT_OF_RANGE, cycles=cycles)


class RegisterPlayers(Decision, frozen=True, tag="players-registered"):
    """Register players, all of them or none; after the first published draw only if late entry is open.

    A late player joins at the next draw and gets nothing for the rounds missed (D45).
    """

    players: tuple[Player, ...]
    by: str = ""

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        if not self.players:
            raise Refused(TournamentReason.NOBODY_GIVEN)
        if len(state.entrants) + len(self.players) > MOST_PLAYERS:
            raise Refused(TournamentReason.TOO_MANY_PLAYERS, players=len(self.players), most=MOST_PLAYERS)
        if sum(map(_octets, self.players)) > _MOST_OCTETS:
            raise Refused(TournamentReason.TOO_MANY_AT_ONCE, players=len(self.players))
        if state.published_rounds:
            _check_late_entry(state, edition, self.players[0].name)
        players = tuple(map(_checked, self.players))
        ids = {entrant.player for entrant in state.entrants}
        others = _by_spoken_name(state.entrants)
        for player in players:
            if player.player in ids:
                raise Refused(TournamentReason.PLAYER_TWICE, name=player.name)
            _check_distinct(player, others)
            ids.add(player.player)
            others[sound_key(player.name, player.club)] = player
        return replace(self, players=players)

    def apply(self, state: TournamentState) -> TournamentState:
        joined = tuple(Entrant(player.player, player.name, player.club) for player in self.players)
        return replace(state, entrants=state.entrants + joined)


def register_in_parts(players: Sequence[Player]) -> Iterator[RegisterPlayers]:
    """Yield decisions that register players, each small enough to be accepted."""
    part: list[Player] = []
    octets = 0
    for player in players:
        octets += _octets(player)
        if part and (octets > _MOST_OCTETS or len(part) >= _MOST_AT_ONCE):
            yield RegisterPlayers(tuple(part))
            part, octets = [], _octets(player)
        part.append(player)
    yield RegisterPlayers(tuple(part))


def _check_late_entry(state: TournamentState, edition: Edition, name: str) -> None:
    if edition.schedule is Schedule.ONE_GROUP:
        raise Refused(TournamentReason.LATE_IN_GROUP)
    if not state.late_entry:
        raise Refused(TournamentReason.LATE_ENTRY, name=name)
    require_unpublished(state)
    if state.rounds_planned is not None and len(state.published_rounds) >= state.rounds_planned:
        raise Refused(TournamentReason.TOO_LATE_FOR_A_ROUND, name=name)


class SetLateEntry(Decision, frozen=True, tag="late-entry-set"):
    """Allow or stop registration after the first published draw (D45)."""

    is_open: bool
    reason: str
    by: str = ""

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        require_unpublished(state)
        reason = require_reason(self.reason)
        if edition.schedule is Schedule.ONE_GROUP:
            raise Refused(TournamentReason.LATE_IN_GROUP)
        if self.is_open is state.late_entry:
            raise Refused(TournamentReason.LATE_ENTRY_TWICE)
        return replace(self, reason=reason)

    def apply(self, state: TournamentState) -> TournamentState:
        return replace(state, late_entry=self.is_open)


class RenamePlayer(Decision, frozen=True, tag="player-renamed"):
    """Correct a misspelt name or club."""

    player: PlayerId
    name: str
    club: str
    by: str = ""

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        require_unpublished(state)
        require_entrant(state, self.player)
        renamed = _checked(Player(self.player, self.name, self.club))
        others = (entrant for entrant in state.entrants if entrant.player != self.player)
        _check_distinct(renamed, _by_spoken_name(others))
        return replace(self, name=renamed.name, club=renamed.club)

    def apply(self, state: TournamentState) -> TournamentState:
        return with_entrant(state, self.player, lambda one: replace(one, name=self.name, club=self.club))


class RemovePlayer(Decision, frozen=True, tag="player-removed"):
    """Remove a player who was registered by mistake, before the first draw. name: computed."""

    player: PlayerId
    name: str = ""
    by: str = ""

    def decide(self, state: TournamentState, edition: Edition, hall: HallFacts) -> Self:
        entrant = require_entrant(state, self.player)
        if state.rounds:
            raise Refused(TournamentReason.IN_A_DRAW, name=entrant.name)
        return replace(self, name=entrant.name)

    def apply(self, state: TournamentState) -> TournamentState:
        left = tuple(entrant for entrant in state.entrants if entrant.player != self.player)
        # Another player may be given the same id.
        ids = {entrant.player: entrant.player for entrant in left}
        return replace(state, entrants=left, prizes=tuple(prize.with_ids(ids) for prize in state.prizes))


def _checked(player: Player) -> Player:
    return Player(player.player, checked_player_name(player.name), checked_club(player.club))


def _check_distinct(player: Player, others: Mapping[tuple[str, str], Player | Entrant]) -> None:
    other = others.get(sound_key(player.name, player.club))
    if other is not None:
        raise Refused(
            TournamentReason.SAME_NAME,
            name=player.name,
            club=player.club or "-",
            other=other.name,
            other_club=other.club or "-",
        )


def _by_spoken_name(players: Iterable[Player | Entrant]) -> dict[tuple[str, str], Player | Entrant]:
    return {sound_key(player.name, player.club): player for player in players}


def _octets(player: Player) -> int:
    return 8 + sum(len(text.encode("utf-8", "replace")) for text in (player.player, player.name, player.club))
