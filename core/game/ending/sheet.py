"""The end of a game, by the judge: declaring roles, confirming and voiding."""

from typing import ClassVar

import msgspec

from base.errors import BadData, Refused
from core.editions.edition import Edition
from core.game.ending.agreement import require_no_dispute
from core.game.ending.endings import GameEnded, InProgress, outcome
from core.game.rebel.revolution import not_the_rebel
from core.game.state.causes import Because
from core.game.state.decisions import Decision, Event
from core.game.state.game import Confirmation, GameState, Phase
from core.game.state.reasons import GameReason
from core.game.state.role_counts import check_roles
from core.game.state.seats import require_phase
from core.terms import Role

_AT_THE_TABLE = frozenset({Confirmation.PIN, Confirmation.KEY})


_replace = msgspec.structs.replace


class DeclareRoles(Decision, frozen=True, tag="roles-declared"):
    """Declare all roles by seat, as shown to the judge at the end; must match those already shown."""

    keeps_agreement: ClassVar = True
    refused_in_duel: ClassVar = GameReason.NOT_IN_A_DUEL
    roles: tuple[Role, ...]

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        """Declare all roles by seat; they must match the table's role counts and the roles already shown.

        If time ran out before the player who eliminated the Sheriff showed a role, and it wasn't the Rebel!,
        the game ends as the eliminations determine. May be repeated until the sheet is confirmed.
        Raises Refused naming seat or role, and while somebody disputes the ending.
        Source: Championship 2022/23 v1.4, 1.1 "The rounds"; base game.
        """
        require_phase(state, Phase.ENDED, Phase.SHEET)
        require_no_dispute(state)
        check_roles(self.roles, len(state.seats), edition)
        _check_rebel(state, self.roles)
        for elimination in state.eliminations:
            declared = self.roles[elimination.seat - 1]
            if declared is not elimination.role:
                raise Refused(
                    GameReason.SHOWN_OTHERWISE,
                    seat=elimination.seat,
                    shown=elimination.role,
                    declared=declared,
                )
        if state.because not in {Because.TIME_LIMIT, Because.JUDGE}:
            return (self,)
        result = outcome(self.roles, state.eliminations, edition.readings, state.comebacks)
        if isinstance(result, InProgress) or result.ending is state.ending:
            return (self,)
        return (GameEnded(result.ending, result.because), self)

    def apply(self, state: GameState) -> GameState:
        if len(self.roles) != len(state.seats):
            raise BadData("game log", f"{len(self.roles)} roles are declared for {len(state.seats)} seats")
        pairs = zip(state.seats, self.roles, strict=True)
        seats = tuple(_replace(seat, role=role) for seat, role in pairs)
        return _replace(state, phase=Phase.SHEET, seats=seats)


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


class ConfirmSheet(Decision, frozen=True, tag="sheet-confirmed"):
    """Confirm the record sheet as the judge; this closes the game's log."""

    keeps_agreement: ClassVar = True
    how: Confirmation

    def decide(self, state: GameState, _edition: Edition) -> tuple[Event, ...]:
        """Confirm the record sheet as the judge. Raises Refused.

        The station may confirm at any time, since the judge may have copied the result from paper; the table
        can't while somebody disputes the ending.
        """
        if state.phase in {Phase.CONFIRMED, Phase.VOIDED}:
            require_phase(state)
        is_at_table = self.how in _AT_THE_TABLE
        if is_at_table and state.phase is not Phase.SHEET:
            if state.phase is Phase.ENDED:
                raise Refused(GameReason.ROLES_NOT_DECLARED)
            require_phase(state, Phase.SHEET)
        if is_at_table:
            require_no_dispute(state)
        return (self,)

    def apply(self, state: GameState) -> GameState:
        # The station may confirm a sheet from paper while a question is open at the table.
        closed = _replace(state, pending=(), doubtful=(), high_noon_question=False)
        return _replace(closed, phase=Phase.CONFIRMED, confirmed=self.how)


class VoidGame(Decision, frozen=True, tag="game-voided"):
    """Void the game by the judge's decision, so that it doesn't count."""

    reason: str

    def decide(self, state: GameState, _edition: Edition) -> tuple[Event, ...]:
        """Void the game, even a confirmed one. Raises Refused if it is already void."""
        if state.phase is Phase.VOIDED:
            raise Refused(GameReason.VOIDED)
        return (self,)

    def apply(self, state: GameState) -> GameState:
        closed = _replace(state, pending=(), doubtful=(), high_noon_question=False)
        return _replace(closed, phase=Phase.VOIDED, revolution_question=None)
