"""Checks that several commands share, and changes that several events share.

No refusal reveals a player's dollars, which are secret.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from base.errors import BadData, Refused
from core.editions.edition import Edition
from core.editions.game_rules import RolesRow
from core.game.state.game import GameState, Phase, Seat
from core.game.state.reasons import GameReason
from core.terms import SHERIFF_SEAT, Dollars, PlayerId, Role, SeatNo


def money_left(seat: Seat, edition: Edition) -> Dollars:
    """Return a seat's remaining dollars, which penalties may have made negative.

    At their first table, players have the start money.
    Source: Championship 2010 v1.1, 1.1; Official Score System 2003.
    """
    brought = edition.money_at_start if seat.stake is None else seat.stake.budget
    return Dollars(brought - seat.spent)


def require_money(seat: Seat, dollars: Dollars, edition: Edition) -> None:
    """Raise Refused if a seat can't pay this amount; an amount of 0 is always allowed."""
    if dollars > max(0, money_left(seat, edition)):
        raise Refused(GameReason.MAY_NOT_SPEND, seat=seat.seat)


_REFUSAL = {
    Phase.SEATING: GameReason.CHECKING_IN,
    Phase.ROLES: GameReason.ROLES_NOT_DEALT,
    Phase.AUCTION: GameReason.AUCTIONING,
    Phase.CHARACTERS: GameReason.NOT_BEGUN,
    Phase.PLAYING: GameReason.RUNNING,
    Phase.DUEL: GameReason.DUEL_RUNNING,
    Phase.ENDED: GameReason.ENDED,
    Phase.SHEET: GameReason.ENDED,
    Phase.CONFIRMED: GameReason.CONFIRMED,
    Phase.VOIDED: GameReason.VOIDED,
}


BEFORE_THE_END: Final = (Phase.SEATING, Phase.ROLES, Phase.AUCTION, Phase.CHARACTERS, Phase.PLAYING)
"""Phases of a game with roles up to its end."""
MAY_LEAVE: Final = (*BEFORE_THE_END, Phase.DUEL)
"""Phases in which players may still leave."""
STILL_OPEN: Final = (*MAY_LEAVE, Phase.ENDED, Phase.SHEET)
"""Phases in which the table may still need a judge."""


def require_phase(state: GameState, *allowed: Phase) -> None:
    if state.phase not in allowed:
        raise Refused(_REFUSAL[state.phase])


def has_question(state: GameState) -> bool:
    """Return whether the table is being asked something that must be answered before it goes on."""
    return bool(state.pending or state.doubtful) or state.revolution_question is not None


def require_no_question(state: GameState) -> None:
    """Raise Refused while the table has an open question."""
    if state.pending:
        raise Refused(GameReason.QUESTION_OPEN, seat=state.pending[0])
    if state.doubtful:
        raise Refused(GameReason.STILL_IN_PLAY, seat=state.doubtful[0])
    if state.revolution_question is not None:
        raise Refused(GameReason.REVOLUTION_OPEN, seat=state.revolution_question)


def check_seated(players: Sequence[PlayerId], allowed: Iterable[int]) -> None:
    """Raise Refused if a table can't have this number of players, or if one of them has two seats."""
    if len(players) not in (sizes := tuple(allowed)):
        raise Refused(GameReason.TABLE_SIZE, players=len(players), allowed=", ".join(map(str, sizes)))
    for second, player in enumerate(players, start=1):
        first = players.index(player) + 1
        if first != second:
            raise Refused(GameReason.SEATED_TWICE, first=first, second=second)


def seat_of(state: GameState, seat: SeatNo) -> Seat:
    """Return the seat with this number. Raises Refused if the table doesn't have it."""
    if not 1 <= seat <= len(state.seats):
        raise Refused(GameReason.NO_SEAT, seat=seat)
    return state.seats[seat - 1]


def seat_in_play(state: GameState, seat: SeatNo) -> Seat:
    """Return the seat with this number. Raises Refused if the player is eliminated, or it doesn't exist."""
    holder = seat_of(state, seat)
    if not holder.in_play:
        raise Refused(GameReason.OUT, seat=seat)
    return holder


def in_play(state: GameState) -> tuple[SeatNo, ...]:
    """Return the seats that aren't eliminated, including those of players who have left."""
    return tuple(seat.seat for seat in state.seats if seat.in_play)


def players_hit_from(state: GameState, *, is_last_card: bool = False) -> int:
    """Count the players who were in play when the current card was played (D49).

    ``is_last_card`` is True if that card also caused the last elimination, whose effect seemed complete.
    """
    effect = state.eliminations[-1].effect if state.eliminations else 0
    counts = is_last_card or effect > state.effects
    hit = (out.seat for out in state.eliminations if out.effect == effect and counts)
    return len({*in_play(state), *hit})


def seats_after(state: GameState, seat: SeatNo) -> Iterator[Seat]:
    """Yield all other seats in the order of play, starting to the left, then the seat itself."""
    return iter((*state.seats[seat:], *state.seats[:seat]))


def recorded_seat(state: GameState, seat: SeatNo) -> Seat:
    """Return the seat that an event names. Raises BadData if the table doesn't have it."""
    if not 1 <= seat <= len(state.seats):
        raise BadData("game log", f"there is no seat {seat} at table {state.table}")
    return state.seats[seat - 1]


def with_seat(state: GameState, seat: Seat) -> GameState:
    return replace(state, seats=(*state.seats[: seat.seat - 1], seat, *state.seats[seat.seat :]))


def count_turn(state: GameState, seat: SeatNo) -> GameState:
    return with_turns(state, seat, state.turns_played[seat - 1] + 1)


def with_turns(state: GameState, seat: SeatNo, turns: int) -> GameState:
    played = state.turns_played
    return replace(state, turns_played=(*played[: seat - 1], turns, *played[seat:]))


def wound(state: GameState, seat: SeatNo, points: int) -> GameState:
    """Take life points from a seat. If none is left, the table is asked about the last one."""
    hit = recorded_seat(state, seat)
    after = with_seat(state, replace(hit, life=hit.life - points))
    if hit.life > points or seat in state.pending:
        return after
    return replace(after, pending=(*state.pending, seat))


def close_question(state: GameState, seat: SeatNo) -> GameState:
    """Close the question about a seat. The last answer completes the effect that eliminated somebody."""
    pending = tuple(other for other in state.pending if other != seat)
    effects = state.effects
    if not pending and state.eliminations:
        effects = max(effects, state.eliminations[-1].effect)
    hits = tuple(hit for hit in state.hits_by_leavers if hit[0] != seat)
    at_noon = state.high_noon_question and bool(pending)
    return forget_passed_turns(
        replace(state, pending=pending, high_noon_question=at_noon, effects=effects, hits_by_leavers=hits)
    )


def forget_passed_turns(state: GameState) -> GameState:
    """Forget when the passed turns were, unless a question about them is still open."""
    is_open = bool(state.pending or state.doubtful)
    return state if is_open else replace(state, doubtful_from=0)


def end_seating_if_complete(state: GameState) -> GameState:
    """End the seating if every player has checked in or left."""
    if state.phase is Phase.SEATING and all(seat.checked_in or seat.passive for seat in state.seats):
        return replace(state, phase=Phase.ROLES if state.duel is None else Phase.DUEL)
    return state


def role_counts(players: int, edition: Edition) -> RolesRow:
    """Return the roles at a table of this many players. Raises BadData if the edition has no such row."""
    for row in edition.role_rows:
        if row.players == players:
            return row
    allowed = ", ".join(str(row.players) for row in edition.role_rows)
    raise BadData(f"edition {edition.key}, roles", f"no row for a table of {players}; there are {allowed}")


def roles_left(row: RolesRow, public_roles: Iterable[Role]) -> Mapping[Role, int]:
    """Return the number of hidden cards of each role, which is negative if too many were shown."""
    seen = tuple(public_roles)
    return {role: row.count(role) - seen.count(role) for role in Role}


def check_roles(roles: tuple[Role, ...], players: int, edition: Edition) -> None:
    """Raise Refused unless these are the roles for a table of this size, with the Sheriff at seat 1."""
    if len(roles) != players:
        raise Refused(GameReason.ROLES_BY_SEAT, found=len(roles), expected=players)
    if roles[SHERIFF_SEAT - 1] is not Role.SHERIFF:
        raise Refused(GameReason.ROLE_OF_SHERIFF, seat=SHERIFF_SEAT)
    counts = role_counts(players, edition)
    for role, left in roles_left(counts, roles).items():
        if left != 0:
            expected = counts.count(role)
            raise Refused(
                GameReason.ROLES_DO_NOT_FIT,
                players=players,
                expected=expected,
                role=role,
                found=expected - left,
            )
