"""The end of a game: the players' agreement, declared roles, and the judge's confirmation or annulment.

The players' agreement changes no result. It shows whether somebody needs to talk to the judge first.
"""

from abc import abstractmethod
from typing import ClassVar, assert_never

from msgspec.structs import replace

from base.errors import BadData, Refused
from core.editions.edition import Edition
from core.game.ending.endings import GameEnded, InProgress, outcome
from core.game.ending.judge_calls import CallJudge, GiveCallReason
from core.game.ending.rebel import not_the_rebel
from core.game.state.decisions import Decision, Event, RolesDecision
from core.game.state.duel import DuelBecause
from core.game.state.game import Agreement, Because, CallReason, Confirmation, GameState, Phase
from core.game.state.reasons import GameReason
from core.game.state.seats import check_roles, recorded_seat, require_phase, seat_of
from core.rule_set import AgreementForm
from core.terms import Role, SeatNo


def is_proposed(state: GameState) -> bool:
    """Return whether the players are being asked to agree with an ending."""
    return state.phase is (Phase.ENDED if state.duel is None else Phase.SHEET)


def seats_to_agree(state: GameState) -> tuple[SeatNo, ...]:
    """Return the seats whose players are asked to agree with the ending.

    Nobody is asked if the judge ruled the ending, or if a duel ended because a player left.
    """
    duel = state.duel
    ruled = state.because in {Because.TIME_LIMIT, Because.JUDGE}
    if not is_proposed(state) or ruled or (duel is not None and duel.because is not DuelBecause.ELIMINATIONS):
        return ()
    return tuple(seat.seat for seat in state.seats if not seat.passive)


def awaited_seats(state: GameState) -> tuple[SeatNo, ...]:
    """Return the seats whose agreement is still missing, depending on how many the tournament requires."""
    said = state.agreement
    seats = seats_to_agree(state)
    open_questions = tuple(seat for seat in seats if seat not in {*said.agreed, *said.waived})
    disputed = tuple(seat for seat in open_questions if seat in said.disputed)
    match state.rules.agreement if state.duel is None else AgreementForm.EACH_PLAYER:
        case AgreementForm.EACH_PLAYER:
            return open_questions
        case AgreementForm.ONE_FOR_ALL:
            return disputed if said.agreed else open_questions
        case AgreementForm.SHERIFF_AND_ONE:
            others_agree = any(seat != state.sheriff for seat in said.agreed)
            return tuple(
                seat
                for seat in open_questions
                if seat in disputed or seat == state.sheriff or not others_agree
            )
        case _:
            assert_never(state.rules.agreement)


def open_disputes(state: GameState) -> tuple[SeatNo, ...]:
    waiting = awaited_seats(state)
    return tuple(seat for seat in state.agreement.disputed if seat in waiting)


def require_no_dispute(state: GameState) -> None:
    """Raise Refused while a player disputes the ending, unless the judge has waived their answer."""
    disputes = open_disputes(state)
    if disputes:
        raise Refused(GameReason.DISPUTED, seat=disputes[0])


class _Answer(Decision, frozen=True):
    """An answer on the ending, or the judge's waiver of one.

    Source: Championship 2022/23 v1.4, 2 "Tournament behavior".
    """

    keeps_agreement: ClassVar = True
    seat: SeatNo

    def decide(self, state: GameState, _edition: Edition) -> tuple[Event, ...]:
        require_phase(state, Phase.ENDED if state.duel is None else Phase.SHEET)
        seat = seat_of(state, self.seat).seat
        if seat not in seats_to_agree(state):
            raise Refused(GameReason.NOT_ASKED, seat=seat)
        return self._answer(state)

    def apply(self, state: GameState) -> GameState:
        seat = recorded_seat(state, self.seat).seat
        silent = Agreement(
            agreed=_without(state.agreement.agreed, seat),
            disputed=_without(state.agreement.disputed, seat),
            waived=_without(state.agreement.waived, seat),
        )
        return replace(state, agreement=self._noted(silent, state.agreement))

    @abstractmethod
    def _answer(self, state: GameState, /) -> tuple[Event, ...]:
        """Return the answer's events. Raises Refused if it has no effect."""

    @abstractmethod
    def _noted(self, silent: Agreement, before: Agreement, /) -> Agreement:
        """Return the answers with this one added.

        before: the answers so far.
        silent: the same without this player's.
        """


class AgreeEnding(_Answer, frozen=True, tag="ending-agreed"):
    """Agree with the ending, which also withdraws the player's dispute."""

    def _answer(self, state: GameState) -> tuple[Event, ...]:
        if self.seat in state.agreement.agreed:
            raise Refused(GameReason.AGREED, seat=self.seat)
        return (self,)

    def _noted(self, silent: Agreement, _before: Agreement) -> Agreement:
        return replace(silent, agreed=(*silent.agreed, self.seat))


class WithdrawAgreement(_Answer, frozen=True, tag="agreement-withdrawn"):
    """Withdraw a player's agreement or dispute."""

    def _answer(self, state: GameState) -> tuple[Event, ...]:
        if self.seat not in {*state.agreement.agreed, *state.agreement.disputed}:
            raise Refused(GameReason.NOTHING_SAID, seat=self.seat)
        return (self,)

    def _noted(self, silent: Agreement, _before: Agreement) -> Agreement:
        return silent


class DisputeEnding(_Answer, frozen=True, tag="ending-disputed"):
    """Dispute the ending, which also calls the judge."""

    def _answer(self, state: GameState) -> tuple[Event, ...]:
        if self.seat in state.agreement.disputed:
            raise Refused(GameReason.DISPUTED_ALREADY, seat=self.seat)
        calls = () if state.judge_called else (CallJudge(), GiveCallReason(CallReason.DISPUTE))
        return (self, *calls)

    def _noted(self, silent: Agreement, _before: Agreement) -> Agreement:
        return replace(silent, disputed=(*silent.disputed, self.seat))


class WaiveAgreement(_Answer, frozen=True, tag="agreement-waived"):
    """Go on without a player's answer, by the judge's decision."""

    def _answer(self, state: GameState) -> tuple[Event, ...]:
        if self.seat not in awaited_seats(state):
            raise Refused(GameReason.AGREED, seat=self.seat)
        return (self,)

    def _noted(self, _silent: Agreement, before: Agreement) -> Agreement:
        # The dispute remains recorded, as the judge went on despite it.
        return replace(before, waived=(*before.waived, self.seat))


AgreementEvent = AgreeEnding | WithdrawAgreement | DisputeEnding | WaiveAgreement


def _without(seats: tuple[SeatNo, ...], seat: SeatNo) -> tuple[SeatNo, ...]:
    return tuple(other for other in seats if other != seat)


class DeclareRoles(RolesDecision, frozen=True, tag="roles-declared"):
    """Declare all roles, by seat. This may be repeated until the sheet is confirmed.

    If time ran out while a player who eliminated the Sheriff was asked about the Rebel!, their role may show
    that the game had already ended.
    Source: Championship 2022/23 v1.4, 1.1 "The rounds"; base game.
    """

    keeps_agreement: ClassVar = True
    roles: tuple[Role, ...]

    def decide(self, state: GameState, edition: Edition) -> tuple[Event, ...]:
        require_phase(state, Phase.ENDED, Phase.SHEET)
        require_no_dispute(state)
        check_roles(self.roles, len(state.seats), edition)
        _check_rebel(state, self.roles)
        for elimination in state.eliminations:
            _check_declared(self.roles, elimination.seat, elimination.role)
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
        seats = tuple(replace(seat, role=role) for seat, role in pairs)
        return replace(state, phase=Phase.SHEET, seats=seats)


def _check_rebel(state: GameState, roles: tuple[Role, ...]) -> None:
    if state.rebel is not None:
        _check_declared(roles, state.rebel, Role.REBEL)
    denied = not_the_rebel(state)
    if denied is not None and roles[denied - 1] is Role.REBEL:
        raise Refused(GameReason.NOT_THE_REBEL, seat=denied)


def _check_declared(roles: tuple[Role, ...], seat: SeatNo, public: Role) -> None:
    declared = roles[seat - 1]
    if declared is not public:
        raise Refused(GameReason.SHOWN_OTHERWISE, seat=seat, shown=public, declared=declared)


class ConfirmSheet(Decision, frozen=True, tag="sheet-confirmed"):
    """Confirm the record sheet as the judge, which closes the game's log.

    The station may confirm at any time, as the judge may have copied the result from paper.
    """

    keeps_agreement: ClassVar = True
    how: Confirmation

    def decide(self, state: GameState, _edition: Edition) -> tuple[Event, ...]:
        if state.phase in {Phase.CONFIRMED, Phase.VOIDED}:
            require_phase(state)
        if self.how in {Confirmation.PIN, Confirmation.KEY}:
            if state.phase is Phase.ENDED:
                raise Refused(GameReason.ROLES_NOT_DECLARED)
            require_phase(state, Phase.SHEET)
            require_no_dispute(state)
        return (self,)

    def apply(self, state: GameState) -> GameState:
        # The station may confirm a sheet from paper while a question is open at the table.
        closed = replace(state, pending=(), doubtful=(), high_noon_question=False)
        return replace(closed, phase=Phase.CONFIRMED, confirmed=self.how)


class VoidGame(Decision, frozen=True, tag="game-voided"):
    """Void the game by the judge's decision, so that it doesn't count."""

    reason: str

    def decide(self, state: GameState, _edition: Edition) -> tuple[Event, ...]:
        if state.phase is Phase.VOIDED:
            raise Refused(GameReason.VOIDED)
        return (self,)

    def apply(self, state: GameState) -> GameState:
        closed = replace(state, pending=(), doubtful=(), high_noon_question=False)
        return replace(closed, phase=Phase.VOIDED, revolution_question=None)
