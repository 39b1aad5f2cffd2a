"""Seating a table, checking in players and dealing roles."""

from typing import ClassVar

import msgspec

from base.errors import Refused
from core.editions.edition import Edition
from core.game.auction.opening import begin_auction
from core.game.ending.sheet import VoidGame
from core.game.state.decisions import Command, Decision, Draft, Event
from core.game.state.duel import duel_at_start
from core.game.state.game import GameState, Phase, Seat, SeatedPlayer
from core.game.state.reasons import GameReason
from core.game.state.seat_updates import all_here, recorded_seat, with_seat
from core.game.state.seats import require_phase, seat_of
from core.rule_set import RuleSet
from core.terms import SHERIFF_SEAT, GameId, MatchKind, Role, RoundNo, SeatNo, TableNo, TournamentId

_replace = msgspec.structs.replace


class _Seating(msgspec.Struct, frozen=True):
    game: GameId
    tournament: TournamentId
    tournament_name: str
    rules: RuleSet
    round: RoundNo
    table: TableNo
    seats: tuple[SeatedPlayer, ...]
    match: MatchKind = MatchKind.GAME


class TableSeated(_Seating, Event, frozen=True, tag="table-seated"):
    """The judge seated a match at this table. In a game, seat 1 is the Sheriff.

    A duel has two seats, and seat 1 is the better placed player.
    """

    def apply(self, state: GameState | None) -> GameState:
        is_game = self.match is MatchKind.GAME
        seats = tuple(
            Seat(
                seat=SeatNo(number),
                player=seated.player,
                name=seated.name,
                stake=seated.stake,
                warnings=seated.warnings,
                role=Role.SHERIFF if is_game and number == SHERIFF_SEAT else None,
            )
            for number, seated in enumerate(self.seats, start=1)
        )
        table = GameState(
            game=self.game,
            tournament=self.tournament,
            tournament_name=self.tournament_name,
            rules=self.rules,
            round=self.round,
            table=self.table,
            match=self.match,
            phase=Phase.SEATING,
            mode=self.rules.mode,
            seats=seats,
            turns_played=(0,) * len(seats),
            duel=None if is_game else duel_at_start(self.match),
        )
        if state is None or state.game != self.game:
            return table
        # A game restarted within its round keeps the judge's extensions, pauses and warnings.
        return _replace(table, clock=state.clock, warnings=state.warnings)


class SeatTable(_Seating, Command, frozen=True):
    """Seat the players of a match. The station's order carries it."""

    def decide(self, state: GameState | None, edition: Edition) -> tuple[Event, ...]:
        """Seat a new game, if no other one is open at this table. Raises Refused.

        Source: Championship 2022/23 v1.4, 1.1 "The rounds"; tables of 4: reading D05; duels:
        Championship 2010 v1.1, 1.2.
        """
        if state is not None and state.phase not in {Phase.CONFIRMED, Phase.VOIDED}:
            raise Refused(GameReason.ANOTHER_GAME)
        if self.rules.edition != edition.key:
            raise Refused(GameReason.ANOTHER_EDITION, expected=edition.key, found=self.rules.edition)
        allowed = _sizes(self.match, edition)
        if len(self.seats) not in allowed:
            sizes = ", ".join(str(size) for size in allowed)
            raise Refused(GameReason.TABLE_SIZE, players=len(self.seats), allowed=sizes)
        players = [seated.player for seated in self.seats]
        for number, player in enumerate(players, start=1):
            if players.index(player) + 1 != number:
                raise Refused(GameReason.SEATED_TWICE, first=players.index(player) + 1, second=number)
        return (TableSeated(*msgspec.structs.astuple(self)),)


def _sizes(match: MatchKind, edition: Edition) -> tuple[int, ...]:
    """Return the allowed numbers of players in a match. Raises Refused for a duel that isn't offered."""
    if match is MatchKind.GAME:
        return tuple(row.players for row in edition.role_rows)
    if match not in edition.duel_modes:
        raise Refused(GameReason.NO_SUCH_DUEL, kind=match)
    return (2,)


class CheckIn(Decision, frozen=True, tag="player-checked-in"):
    """Check in the player of a seat."""

    seat: SeatNo

    def decide(self, state: GameState, _edition: Edition) -> tuple[Event, ...]:
        """Check in the player of a seat. Raises Refused."""
        seat = seat_of(state, self.seat)
        if seat.checked_in:
            raise Refused(GameReason.CHECKED_IN, seat=self.seat)
        require_phase(state, Phase.SEATING)
        return (self,)

    def apply(self, state: GameState) -> GameState:
        return all_here(with_seat(state, _replace(recorded_seat(state, self.seat), checked_in=True)))


class CheckInAll(Command, frozen=True):
    """Check in all players who have not done so yet."""

    def decide(self, state: GameState, _edition: Edition) -> tuple[Event, ...]:
        """Check in all players who haven't done so yet. Raises Refused if all have."""
        require_phase(state, Phase.SEATING)
        missing = (seat.seat for seat in state.seats if not (seat.checked_in or seat.passive))
        return tuple(CheckIn(seat) for seat in missing)


class DealRoles(Decision, frozen=True, tag="roles-dealt"):
    """Record that the role cards are dealt face down; who got which stays secret."""

    refused_in_duel: ClassVar = GameReason.NOT_IN_A_DUEL

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        """Deal the roles once all players have checked in or left; an auction of characters begins, if any.

        Raises Refused naming a missing seat.
        """
        if state.phase is Phase.SEATING:
            missing = next(seat.seat for seat in state.seats if not (seat.checked_in or seat.passive))
            raise Refused(GameReason.NOT_CHECKED_IN, seat=missing)
        require_phase(state, Phase.ROLES)
        return begin_auction(Draft(state).then(self), edition).events

    def apply(self, state: GameState) -> GameState:
        return _replace(state, phase=Phase.CHARACTERS)


class RestartGame(Command, frozen=True):
    """Void the game and let the same players start over from the check-in, by the judge's decision."""

    reason: str

    def decide(self, state: GameState, _edition: Edition) -> tuple[Event, ...]:
        """Void the game and seat the same players again, in one step.

        It remains the same match of the tournament. Raises Refused without a reason, and once the sheet is
        confirmed or the game voided.
        """
        if state.phase in {Phase.CONFIRMED, Phase.VOIDED}:
            require_phase(state)
        if not self.reason.strip():
            raise Refused(GameReason.RESTART_REASON)
        seats = tuple(SeatedPlayer(seat.player, seat.name, seat.stake) for seat in state.seats)
        again = TableSeated(
            game=state.game,
            tournament=state.tournament,
            tournament_name=state.tournament_name,
            rules=state.rules,
            round=state.round,
            table=state.table,
            seats=seats,
            match=state.match,
        )
        return (VoidGame(self.reason.strip()), again)
