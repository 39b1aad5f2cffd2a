"""Cards that eliminate several players, about which the table is asked only if the answer matters."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from base.errors import BadData, Refused
from core.editions.edition import Edition
from core.editions.readings import RenegadeFinalDuel
from core.game.ending.endings import InProgress, outcome
from core.game.ending.finished_game import FinishedGame
from core.game.ending.winnings import payouts
from core.game.play.eliminations import Eliminate, last_card, may_be_same_card
from core.game.state.decisions import Draft
from core.game.state.game import Because, Cause, GameState, Phase
from core.game.state.seats import role_counts, roles_left
from core.terms import Dollars, Role, SeatNo


def same_card_matters(state: GameState, command: Eliminate, edition: Edition) -> bool:
    """Return whether it matters, now or later, if the last card eliminated this player, too."""
    if state.phase is not Phase.PLAYING or not may_be_same_card(state, command):
        return False
    same = _after(state, replace(command, same_card=True), edition)
    other = _after(state, replace(command, same_card=False), edition)
    if same is None or other is None:
        return False
    roles = {command.role, *(out.role for out in last_card(state))}
    # By this reading it matters whom the Sheriff eliminates last, which isn't known yet.
    is_label = edition.readings.renegade_final_duel is RenegadeFinalDuel.LABEL
    return (
        _result(same, edition) != _result(other, edition)
        or (is_label and Role.RENEGADE in roles and same.phase is Phase.PLAYING)
        or _has_just_revolted(state)
    )


def may_be_out_too(state: GameState, edition: Edition) -> tuple[SeatNo, ...]:
    """Return the seats that the card which ended the game or caused a Revolution may also have eliminated.

    The result is empty if that wouldn't change anything.
    """
    is_over = state.phase is Phase.ENDED
    if not (is_over or state.revolution_question is not None or _has_just_revolted(state)):
        return ()
    joined = {seat.seat: tuple(_joined(state, seat.seat, edition)) for seat in state.seats if seat.in_play}
    seats = tuple(seat for seat, afterwards in joined.items() if afterwards)
    if not is_over or _may_leave_renegade_alone(state, seats, edition):
        return seats
    pays = (
        _dollars(state, edition, {seat: role}) != _dollars(after, edition, {seat: role})
        for seat in seats
        for role, after in joined[seat]
    )
    return seats if any(pays) else ()


def _has_just_revolted(state: GameState) -> bool:
    is_first_turn = state.phase is Phase.PLAYING and 0 < state.revolution_turn == state.turns
    return is_first_turn and state.revolutions[-1].after == len(state.eliminations)


def _joined(state: GameState, seat: SeatNo, edition: Edition) -> Iterator[tuple[Role, GameState]]:
    """Yield each role that a seat may show as one more victim of the last card, with the resulting state."""
    by = state.eliminations[-1].by if state.eliminations else None
    for role in Role:
        after = _after(state, Eliminate(seat, by, role, Cause.PLAYER, same_card=True), edition)
        if after is not None:
            yield role, after


def _may_leave_renegade_alone(state: GameState, seats: tuple[SeatNo, ...], edition: Edition) -> bool:
    """Return whether the Renegade wins if the card that killed the Sheriff also killed all other players."""
    if state.because is not Because.SHERIFF_OUT or not seats:
        return False
    left = roles_left(role_counts(len(state.seats), edition), (out.role for out in state.eliminations))
    remaining = [seat for seat in state.seats if seat.in_play and seat.seat not in seats]
    return left[Role.RENEGADE] == 1 and len(remaining) == 1 and remaining[0].role in {None, Role.RENEGADE}


def _after(state: GameState, command: Eliminate, edition: Edition) -> GameState | None:
    draft = Draft(state)
    try:
        for event in command.decide(state, edition):
            draft = draft.then(event)
    except Refused:
        return None
    return draft.state


def _result(state: GameState, edition: Edition) -> tuple[object, ...]:
    revolutions = len(state.revolutions)
    return state.ending, state.revolution_question, revolutions, _dollars(state, edition, {})


def _dollars(
    state: GameState, edition: Edition, assumed: Mapping[SeatNo, Role]
) -> tuple[Dollars, ...] | None:
    """Return each seat's winnings, with arbitrary roles except those assumed, or None if the game goes on."""
    known = {seat.seat: seat.role for seat in state.seats if seat.role is not None}
    known |= assumed
    left = roles_left(role_counts(len(state.seats), edition), known.values())
    if state.ending is None or min(left.values()) < 0:
        return None
    by = state.eliminations[-1].by if state.eliminations else None
    hidden = sorted(
        (seat.seat for seat in state.seats if seat.seat not in known), key=lambda seat: seat != by
    )
    # Assign the killer first and the Rebel! last, as the killer was asked about that role.
    known |= dict(zip(hidden, (role for role in Role for _ in range(left[role])), strict=True))
    roles = tuple(known[seat.seat] for seat in state.seats)
    result = outcome(roles, state.eliminations, edition.readings, state.comebacks)
    if isinstance(result, InProgress):
        return None
    players = tuple(seat.player for seat in state.seats)
    game = FinishedGame(state.round, state.table, players, roles, state.eliminations, (), result.ending)
    try:
        return tuple(payout.dollars for payout in payouts(game, result, edition))
    except BadData:
        return None
