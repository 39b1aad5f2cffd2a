"""Seating a table, checking in players and dealing roles."""

from base.errors import Refused
from core.editions.edition import Edition
from core.game.auction.opening import begin_auction
from core.game.commands import CheckIn, CheckInAll, DealRoles, SeatTable
from core.game.events import GameEvent, PlayerCheckedIn, RolesDealt, TableSeated
from core.game.state.decisions import Draft
from core.game.state.game import GameState, Phase
from core.game.state.reasons import GameReason
from core.game.state.seats import require_phase, seat_of
from core.terms import MatchKind


def seat_table(state: GameState | None, command: SeatTable, edition: Edition) -> tuple[GameEvent, ...]:
    """Seat a new game, if no other one is open at this table. Raises Refused.

    Source: Championship 2022/23 v1.4, 1.1 "The rounds"; tables of 4: reading D05; duels:
    Championship 2010 v1.1, 1.2.
    """
    if state is not None and state.phase not in {Phase.CONFIRMED, Phase.VOIDED}:
        raise Refused(GameReason.ANOTHER_GAME)
    if command.rules.edition != edition.key:
        raise Refused(GameReason.ANOTHER_EDITION, expected=edition.key, found=command.rules.edition)
    allowed = _sizes(command.match, edition)
    if len(command.seats) not in allowed:
        sizes = ", ".join(str(size) for size in allowed)
        raise Refused(GameReason.TABLE_SIZE, players=len(command.seats), allowed=sizes)
    players = [seated.player for seated in command.seats]
    for number, player in enumerate(players, start=1):
        if players.index(player) + 1 != number:
            raise Refused(GameReason.SEATED_TWICE, first=players.index(player) + 1, second=number)
    seated = TableSeated(
        game=command.game,
        tournament=command.tournament,
        tournament_name=command.tournament_name,
        rules=command.rules,
        round=command.round,
        table=command.table,
        seats=command.seats,
        match=command.match,
    )
    return (seated,)


def _sizes(match: MatchKind, edition: Edition) -> tuple[int, ...]:
    """Return the allowed numbers of players in a match. Raises Refused for a duel that isn't offered."""
    if match is MatchKind.GAME:
        return tuple(row.players for row in edition.role_rows)
    if match not in edition.duel_modes:
        raise Refused(GameReason.NO_SUCH_DUEL, kind=match)
    return (2,)


def check_in(state: GameState, command: CheckIn) -> tuple[GameEvent, ...]:
    """Check in the player of a seat. Raises Refused."""
    seat = seat_of(state, command.seat)
    if seat.checked_in:
        raise Refused(GameReason.CHECKED_IN, seat=command.seat)
    require_phase(state, Phase.SEATING)
    return (PlayerCheckedIn(command.seat),)


def check_in_all(state: GameState, _command: CheckInAll) -> tuple[GameEvent, ...]:
    """Check in all players who haven't done so yet. Raises Refused if all have."""
    require_phase(state, Phase.SEATING)
    missing = (seat.seat for seat in state.seats if not (seat.checked_in or seat.passive))
    return tuple(PlayerCheckedIn(seat) for seat in missing)


def deal_roles(state: GameState, _command: DealRoles, edition: Edition) -> tuple[GameEvent, ...]:
    """Deal the roles once all players have checked in or left; an auction of characters begins, if any.

    Raises Refused naming a missing seat.
    """
    if state.phase is Phase.SEATING:
        missing = next(seat.seat for seat in state.seats if not (seat.checked_in or seat.passive))
        raise Refused(GameReason.NOT_CHECKED_IN, seat=missing)
    require_phase(state, Phase.ROLES)
    return begin_auction(Draft(state).then(RolesDealt()), edition).events
