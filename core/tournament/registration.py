"""Opening a tournament, registering players, and waivers."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from base.errors import Refused
from core.editions.edition import Edition, Schedule, Waiver
from core.tournament.commands import (
    ChangeWaivers,
    OpenTournament,
    RegisterPlayers,
    RemovePlayer,
    RenamePlayer,
    RenameTournament,
    SetLateEntry,
)
from core.tournament.draw.groups import games_of_groups
from core.tournament.draw.rounds import most_rounds, planned_rounds, printed_rounds
from core.tournament.events import (
    LateEntrySet,
    PlayerRemoved,
    PlayerRenamed,
    PlayersRegistered,
    TournamentOpened,
    TournamentRenamed,
    WaiversChanged,
)
from core.tournament.state import Player, TournamentState, Waivers
from core.tournament.state.guards import require_entrant, require_reason, still_secret
from core.tournament.state.names import checked_club, checked_name, checked_player_name, sound_key
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.table_list import check_tables

MOST_PLAYERS = 20_000
_MOST_OCTETS = 200_000
"""Size limit in octets for the players of one command, which go into one journal entry."""
_MOST_AT_ONCE = 1_000
"""Number of players in each command of a long list, so that other requests are served in between."""
LONGEST_TIME_LIMIT_MIN = 24 * 60
"""The longest time limit, one day; anything longer is a typing error."""


def open_tournament(command: OpenTournament, edition: Edition, by: str) -> TournamentOpened:
    """Return the event that opens a tournament. Refused for a waiver that the edition does not allow."""
    if command.rules.edition != edition.key:
        raise Refused(TournamentReason.OTHER_EDITION, edition=edition.key, given=command.rules.edition)
    if edition.schedule is Schedule.ONE_GROUP and command.waivers.rounds is not None:
        raise Refused(TournamentReason.FEWER_GAMES_LATER)
    _check_waivers(command.waivers, edition, most_rounds(edition))
    tables = check_tables(command.tables)
    return TournamentOpened(
        tournament=command.tournament,
        name=checked_name(command.name),
        rules=command.rules,
        date=command.date,
        waivers=command.waivers,
        by=by,
        unofficial=command.unofficial,
        with_finals=edition.finals is not None,
        first_table=tables.ranges[0].first,
        tables=None if tables.is_open else tables,
    )


def rename_tournament(state: TournamentState, command: RenameTournament, by: str) -> TournamentRenamed:
    """Return the event that corrects name and date. Refused if nothing changes, or the ranking is public."""
    still_secret(state)
    try:
        dt.date.fromisoformat(command.date)
    except ValueError as error:
        raise Refused(TournamentReason.NO_DATE, typed=command.date) from error
    renamed = TournamentRenamed(checked_name(command.name), command.date, by)
    if (renamed.name, renamed.date) == (state.name, state.date):
        raise Refused(TournamentReason.SAME_NAME_AND_DATE)
    return renamed


def change_waivers(
    state: TournamentState, command: ChangeWaivers, edition: Edition, by: str
) -> WaiversChanged:
    """Return the event that changes waivers; rounds can't be fewer than those already drawn.

    This is also how a group ends early, before everybody has been Sheriff; it needs a reason.
    Source: Championship 2022/23 v1.4, 1.3 "Waivers"; Official Score System 2003.
    """
    still_secret(state)
    if state.finals is not None:
        raise Refused(TournamentReason.FINALISTS_ARE_NAMED)
    reason = require_reason(command.reason)
    rounds = command.waivers.rounds
    planned = None
    printed = most_rounds(edition)
    if state.published_rounds and edition.schedule is Schedule.ONE_GROUP:
        _check_cycles_to_come(state, command.waivers.cycles or 1)
        without = msgspec.structs.replace(command.waivers, rounds=None)
        printed = games_of_groups(state, edition, without)
        planned = games_of_groups(state, edition, command.waivers)
    elif state.published_rounds:
        players = sum(len(table.players) for table in state.published_rounds[0].tables)
        printed = printed_rounds(players, edition, unofficial=state.unofficial)
        planned = planned_rounds(players, edition, command.waivers, unofficial=state.unofficial)
    _check_waivers(command.waivers, edition, printed)
    if rounds is not None and rounds < len(state.rounds):
        raise Refused(TournamentReason.ROUNDS_ALREADY_DRAWN, drawn=len(state.rounds), rounds=rounds)
    return WaiversChanged(waivers=command.waivers, reason=reason, by=by, rounds_planned=planned)


def _check_cycles_to_come(state: TournamentState, cycles: int) -> None:
    """Raise Refused for fewer turns as Sheriff than a player has had already."""
    for entrant in state.contenders:
        times = len(entrant.sheriff_in)
        if times > cycles:
            raise Refused(
                TournamentReason.CYCLES_ALREADY_PLAYED, name=entrant.name, times=times, cycles=cycles
            )


def _check_waivers(waivers: Waivers, edition: Edition, printed: int | None) -> None:
    """Raise Refused for invalid waivers. printed: the largest number of rounds, None if unknown."""
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


def register(
    state: TournamentState, command: RegisterPlayers, edition: Edition, by: str
) -> PlayersRegistered:
    """Register players, all of them or none; after the first published draw only if late entry is open.

    A late player joins at the next draw and gets nothing for the rounds missed.
    Source: reading D45.
    """
    if not command.players:
        raise Refused(TournamentReason.NOBODY_GIVEN)
    if len(state.entrants) + len(command.players) > MOST_PLAYERS:
        raise Refused(TournamentReason.TOO_MANY_PLAYERS, players=len(command.players), most=MOST_PLAYERS)
    if sum(map(_octets, command.players)) > _MOST_OCTETS:
        raise Refused(TournamentReason.TOO_MANY_AT_ONCE, players=len(command.players))
    if state.published_rounds:
        _check_late_entry(state, edition, command.players[0].name)
    players = tuple(
        Player(player.player, checked_player_name(player.name), checked_club(player.club))
        for player in command.players
    )
    ids = {entrant.player for entrant in state.entrants}
    others = _by_spoken_name(Player(entrant.player, entrant.name, entrant.club) for entrant in state.entrants)
    for player in players:
        if player.player in ids:
            raise Refused(TournamentReason.PLAYER_TWICE, name=player.name)
        _check_distinct(player, others)
        ids.add(player.player)
        others[sound_key(player.name, player.club)] = player
    return PlayersRegistered(players=players, by=by)


def register_in_parts(players: Sequence[Player]) -> Iterator[RegisterPlayers]:
    """Yield commands that register players, each small enough to be accepted."""
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
    still_secret(state)
    if state.rounds_planned is not None and len(state.published_rounds) >= state.rounds_planned:
        raise Refused(TournamentReason.TOO_LATE_FOR_A_ROUND, name=name)


def set_late_entry(state: TournamentState, command: SetLateEntry, edition: Edition, by: str) -> LateEntrySet:
    """Open or close late entry. Refused without a reason, and if a group plays by itself.

    Source: reading D45.
    """
    still_secret(state)
    reason = require_reason(command.reason)
    if edition.schedule is Schedule.ONE_GROUP:
        raise Refused(TournamentReason.LATE_IN_GROUP)
    if command.is_open is state.late_entry:
        raise Refused(TournamentReason.LATE_ENTRY_TWICE)
    return LateEntrySet(is_open=command.is_open, reason=reason, by=by)


def rename(state: TournamentState, command: RenamePlayer, by: str) -> PlayerRenamed:
    """Return the event that corrects a name or club, which must remain unique."""
    still_secret(state)
    require_entrant(state, command.player)
    renamed = Player(command.player, checked_player_name(command.name), checked_club(command.club))
    _check_distinct(
        renamed,
        _by_spoken_name(
            Player(entrant.player, entrant.name, entrant.club)
            for entrant in state.entrants
            if entrant.player != command.player
        ),
    )
    return PlayerRenamed(player=renamed.player, name=renamed.name, club=renamed.club, by=by)


def remove(state: TournamentState, command: RemovePlayer, by: str) -> PlayerRemoved:
    """Remove a player registered by mistake. Refused once the player has been drawn."""
    entrant = require_entrant(state, command.player)
    if state.rounds:
        raise Refused(TournamentReason.IN_A_DRAW, name=entrant.name)
    return PlayerRemoved(player=entrant.player, name=entrant.name, by=by)


def _check_distinct(player: Player, others: Mapping[tuple[str, str], Player]) -> None:
    other = others.get(sound_key(player.name, player.club))
    if other is not None:
        raise Refused(
            TournamentReason.SAME_NAME,
            name=player.name,
            club=player.club or "-",
            other=other.name,
            other_club=other.club or "-",
        )


def _by_spoken_name(players: Iterable[Player]) -> dict[tuple[str, str], Player]:
    return {sound_key(player.name, player.club): player for player in players}


def _octets(player: Player) -> int:
    return 8 + sum(len(text.encode("utf-8", "replace")) for text in (player.player, player.name, player.club))
