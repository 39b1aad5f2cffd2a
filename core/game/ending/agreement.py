"""The players' agreement with the ending of their game, before the judge confirms it.

Agreement changes no result: it shows whether somebody needs to talk to the judge first. Players who have
left are not asked, eliminated ones are; a judge's ruling needs nobody's agreement.
"""

from typing import assert_never

import msgspec

from base.errors import Refused
from core.game import commands as c
from core.game.ending.agreement_events import (
    AgreementEvent,
    AgreementWaived,
    AgreementWithdrawn,
    EndingAgreed,
    EndingDisputed,
)
from core.game.events import CallReasonGiven, GameEvent, JudgeCalled
from core.game.state.causes import Because
from core.game.state.duel import DuelBecause
from core.game.state.game import Agreement, CallReason, GameState, Phase
from core.game.state.reasons import GameReason
from core.game.state.seat_updates import recorded_seat
from core.game.state.seats import require_phase, seat_of
from core.rule_set import AgreementForm
from core.terms import SeatNo


def is_proposed(state: GameState) -> bool:
    """Return whether players are asked about an ending: until roles are declared, or a duel is signed."""
    return state.phase is (Phase.ENDED if state.duel is None else Phase.SHEET)


def seats_to_agree(state: GameState) -> tuple[SeatNo, ...]:
    """Return the seats whose players are asked; empty without a proposed ending, or if the judge ruled it.

    It is also empty in a duel that a player has left: the other one has won.
    """
    duel = state.duel
    ruled = state.because in {Because.TIME_LIMIT, Because.JUDGE}
    if not is_proposed(state) or ruled or (duel is not None and duel.because is not DuelBecause.ELIMINATIONS):
        return ()
    return tuple(seat.seat for seat in state.seats if not seat.passive)


def awaited_seats(state: GameState) -> tuple[SeatNo, ...]:
    """Return the seats that were asked but haven't agreed yet, nor been waived by the judge.

    If the organiser lets some players agree for all, the others' silence suffices, except after a dispute.
    """
    said = state.agreement
    asked = seats_to_agree(state)
    open_questions = tuple(seat for seat in asked if seat not in {*said.agreed, *said.waived})
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


def decide_agreement(state: GameState, command: c.AgreementCommand) -> tuple[GameEvent, ...]:
    """Return the events of a player's answer on the ending, or of the judge's waiver. Raises Refused.

    A dispute also calls the judge.
    Source: Championship 2022/23 v1.4, 2 "Tournament behavior".
    """
    require_phase(state, Phase.ENDED if state.duel is None else Phase.SHEET)
    seat = seat_of(state, command.seat).seat
    if seat not in seats_to_agree(state):
        raise Refused(GameReason.NOT_ASKED, seat=seat)
    said = state.agreement
    match command:
        case c.AgreeEnding():
            if seat in said.agreed:
                raise Refused(GameReason.AGREED, seat=seat)
            return (EndingAgreed(seat),)
        case c.WithdrawAgreement():
            if seat not in said.agreed and seat not in said.disputed:
                raise Refused(GameReason.NOTHING_SAID, seat=seat)
            return (AgreementWithdrawn(seat),)
        case c.DisputeEnding():
            if seat in said.disputed:
                raise Refused(GameReason.DISPUTED_ALREADY, seat=seat)
            calls = () if state.judge_called else (JudgeCalled(), CallReasonGiven(CallReason.DISPUTE))
            return (EndingDisputed(seat), *calls)
        case c.WaiveAgreement():
            if seat not in awaited_seats(state):
                raise Refused(GameReason.AGREED, seat=seat)
            return (AgreementWaived(seat),)
        case _:
            assert_never(command)


def open_disputes(state: GameState) -> tuple[SeatNo, ...]:
    """Return the seats that dispute the ending and have not been waived by the judge."""
    waiting = awaited_seats(state)
    return tuple(seat for seat in state.agreement.disputed if seat in waiting)


def require_no_dispute(state: GameState) -> None:
    """Raise Refused while a player disputes the ending, unless the judge has waived their answer."""
    disputes = open_disputes(state)
    if disputes:
        raise Refused(GameReason.DISPUTED, seat=disputes[0])


def evolve_agreement(state: GameState, event: AgreementEvent) -> GameState:
    """Return the state after an answer on the ending. Raises BadData for a missing seat."""
    seat = recorded_seat(state, event.seat).seat
    silent = Agreement(
        agreed=_without(state.agreement.agreed, seat),
        disputed=_without(state.agreement.disputed, seat),
        waived=_without(state.agreement.waived, seat),
    )
    match event:
        case EndingAgreed():
            told = msgspec.structs.replace(silent, agreed=(*silent.agreed, seat))
        case AgreementWithdrawn():
            told = silent
        case EndingDisputed():
            told = msgspec.structs.replace(silent, disputed=(*silent.disputed, seat))
        case AgreementWaived():
            # The dispute remains recorded, as the judge went on despite it.
            waived = (*silent.waived, seat)
            told = msgspec.structs.replace(state.agreement, waived=waived)
        case _:
            assert_never(event)
    return msgspec.structs.replace(state, agreement=told)


def _without(seats: tuple[SeatNo, ...], seat: SeatNo) -> tuple[SeatNo, ...]:
    return tuple(other for other in seats if other != seat)
