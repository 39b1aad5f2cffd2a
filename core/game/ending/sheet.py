"""The end of a game, by the judge: declaring roles, confirming, voiding and restarting."""

from base.errors import Refused
from core.editions.edition import Edition
from core.game.commands import ConfirmSheet, DeclareRoles, RestartGame, VoidGame
from core.game.ending.agreement import require_no_dispute
from core.game.ending.endings import InProgress, outcome
from core.game.events import GameEnded, GameEvent, GameVoided, RolesDeclared, SheetConfirmed, TableSeated
from core.game.rebel.revolution import not_the_rebel
from core.game.state.causes import Because
from core.game.state.game import Confirmation, GameState, Phase, SeatedPlayer
from core.game.state.reasons import GameReason
from core.game.state.role_counts import check_roles
from core.game.state.seats import require_phase
from core.terms import Role

_AT_THE_TABLE = frozenset({Confirmation.PIN, Confirmation.KEY})


def declare_roles(state: GameState, command: DeclareRoles, edition: Edition) -> tuple[GameEvent, ...]:
    """Declare all roles by seat; they must match the table's role counts and the roles already shown.

    If time ran out before the player who eliminated the Sheriff showed a role, and it wasn't the Rebel!,
    the game ends as the eliminations determine. May be repeated until the sheet is confirmed.
    Raises Refused naming seat or role, and while somebody disputes the ending.
    Source: Championship 2022/23 v1.4, 1.1 "The rounds"; base game.
    """
    require_phase(state, Phase.ENDED, Phase.SHEET)
    require_no_dispute(state)
    check_roles(command.roles, len(state.seats), edition)
    _check_rebel(state, command.roles)
    for elimination in state.eliminations:
        declared = command.roles[elimination.seat - 1]
        if declared is not elimination.role:
            raise Refused(
                GameReason.SHOWN_OTHERWISE,
                seat=elimination.seat,
                shown=elimination.role,
                declared=declared,
            )
    step = RolesDeclared(command.roles)
    if state.because not in {Because.TIME_LIMIT, Because.JUDGE}:
        return (step,)
    found = outcome(command.roles, state.eliminations, edition.readings, state.comebacks)
    if isinstance(found, InProgress) or found.ending is state.ending:
        return (step,)
    return (GameEnded(found.ending, found.because), step)


def _check_rebel(state: GameState, roles: tuple[Role, ...]) -> None:
    if state.rebel is not None and roles[state.rebel - 1] is not Role.REBEL:
        raise Refused(
            GameReason.SHOWN_OTHERWISE,
            seat=state.rebel,
            shown=Role.REBEL,
            declared=roles[state.rebel - 1],
        )
    denied = not_the_rebel(state)
    if denied is not None and roles[denied - 1] is Role.REBEL:
        raise Refused(GameReason.NOT_THE_REBEL, seat=denied)


def confirm_sheet(state: GameState, command: ConfirmSheet) -> tuple[GameEvent, ...]:
    """Confirm the record sheet as the judge. Raises Refused.

    The station may confirm at any time, since the judge may have copied the result from paper; the table
    can't while somebody disputes the ending.
    """
    if state.phase in {Phase.CONFIRMED, Phase.VOIDED}:
        require_phase(state)
    is_at_table = command.how in _AT_THE_TABLE
    if is_at_table and state.phase is not Phase.SHEET:
        if state.phase is Phase.ENDED:
            raise Refused(GameReason.ROLES_NOT_DECLARED)
        require_phase(state, Phase.SHEET)
    if is_at_table:
        require_no_dispute(state)
    return (SheetConfirmed(command.how),)


def void_game(state: GameState, command: VoidGame) -> tuple[GameEvent, ...]:
    """Void the game, even a confirmed one. Raises Refused if it is already void."""
    if state.phase is Phase.VOIDED:
        raise Refused(GameReason.VOIDED)
    return (GameVoided(command.reason),)


def restart_game(state: GameState, command: RestartGame) -> tuple[GameEvent, ...]:
    """Void the game and seat the same players again, in one step.

    It remains the same match of the tournament. Raises Refused without a reason, and once the sheet is
    confirmed or the game voided.
    """
    if state.phase in {Phase.CONFIRMED, Phase.VOIDED}:
        require_phase(state)
    if not command.reason.strip():
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
    return (GameVoided(command.reason.strip()), again)
