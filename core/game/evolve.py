"""Evolve a tournament: the state after each event. Decisions and refusals are elsewhere.

An event that ``decide`` could not have returned (for a seat that the table doesn't have, or a game
that was never seated) raises ``BadData``: the log is damaged.
"""

from typing import Final, assert_never

import msgspec

from base.errors import BadData
from core.game.auction.events import AuctionEvent
from core.game.auction.evolve import evolve_auction
from core.game.clock.clock import ClockEvent, clock_after
from core.game.correction.correction_events import CorrectionEvent
from core.game.correction.correction_evolve import evolve_correction
from core.game.duel import events as duels
from core.game.duel.evolve import evolve_duel
from core.game.ending.agreement import evolve_agreement
from core.game.ending.agreement_events import AgreementEvent
from core.game.events import (
    CallReasonGiven,
    CardsKept,
    CharacterChosen,
    DeckReshuffled,
    GameBegan,
    GameEnded,
    GameEvent,
    GameVoided,
    HighNoonArmed,
    HighNoonBegan,
    HighNoonCalled,
    JudgeAnswered,
    JudgeCalled,
    LastLifeSaved,
    LifeLost,
    LifeRegained,
    PlayerAbandoned,
    PlayerCheckedIn,
    PlayerEliminated,
    PlayerWarned,
    RolesDealt,
    RolesDeclared,
    SheetConfirmed,
    StepsRedone,
    StepsUndone,
    TableSeated,
    TurnStarted,
)
from core.game.play.turn_events import (
    HighNoonSurvived,
    RecordModeSet,
    TurnEvent,
    TurnNamed,
    TurnSkipped,
    TurnsPassed,
    TurnUnknown,
)
from core.game.rebel.rebel_events import RebelEvent
from core.game.rebel.revolution import evolve_rebel
from core.game.state.causes import Cause
from core.game.state.duel import duel_at_start
from core.game.state.game import (
    Abandonment,
    Agreement,
    CardsBought,
    Elimination,
    GameState,
    HighNoon,
    Penalty,
    Phase,
    Seat,
)
from core.game.state.seat_updates import recorded_seat, turn_played, turn_skipped, with_seat
from core.terms import SHERIFF_SEAT, Dollars, MatchKind, Role, SeatNo

_LeavesTheEnding = (
    AgreementEvent
    | ClockEvent
    | PlayerWarned
    | JudgeCalled
    | CallReasonGiven
    | JudgeAnswered
    | RolesDeclared
    | SheetConfirmed
)
_OfAPart = (
    ClockEvent | AuctionEvent | RebelEvent | TurnEvent | AgreementEvent | CorrectionEvent | duels.DuelEvent
)
_NOBODY: Final = Agreement()

_replace = msgspec.structs.replace


def evolve(state: GameState | None, event: GameEvent) -> GameState:
    """Return the state after one event. state: None for the first, which seats the table.

    ``StepsUndone`` needs the earlier states: fold steps with ``timeline.extend``.
    Raises BadData for an impossible event.
    """
    after = _evolve(state, event)
    # Earlier answers were about a different state of the game.
    changed = after.agreement != _NOBODY and not isinstance(event, _LeavesTheEnding)
    return _replace(after, agreement=_NOBODY) if changed else after


def _evolve(state: GameState | None, event: GameEvent) -> GameState:  # noqa: C901 - one exhaustive match
    if isinstance(event, TableSeated):
        seated = _apply_seating(event)
        # A game restarted within its round keeps the judge's extensions, pauses and warnings.
        is_again = state is not None and state.game == event.game
        if is_again and state is not None:
            return _replace(seated, clock=state.clock, warnings=state.warnings)
        return seated
    if state is None:
        raise BadData("game log", f"the first event must seat a table, not {type(event).__name__}")
    if isinstance(event, _OfAPart):
        return _evolve_part(state, event)
    match event:
        case PlayerCheckedIn(seat=seat):
            return _all_here(with_seat(state, _replace(recorded_seat(state, seat), checked_in=True)))
        case RolesDealt():
            return _replace(state, phase=Phase.CHARACTERS)
        case CharacterChosen(seat=seat, character=character, offered=offered):
            found = recorded_seat(state, seat)
            return with_seat(state, _replace(found, character=character, offered=offered))
        case CardsKept():
            return _apply_kept_cards(state, event)
        case GameBegan(life=life):
            return _apply_start(state, life)
        case TurnStarted():
            return _turn_started(state, event)
        case LifeLost(seat=seat, points=points):
            return _apply_wound(_replace(state, wounded=tuple(sorted({*state.wounded, seat}))), seat, points)
        case LifeRegained(seat=seat, points=points):
            found = recorded_seat(state, seat)
            return with_seat(state, _replace(found, life=found.life + points))
        case LastLifeSaved(seat=seat, points=points):
            return _apply_rescue(state, seat, points)
        case PlayerEliminated():
            return _apply_elimination(state, event)
        case PlayerWarned():
            warning = Penalty(recorded_seat(state, event.seat).seat, event.offence, event.reason)
            return _replace(state, warnings=(*state.warnings, warning))
        case PlayerAbandoned():
            return _apply_abandonment(state, event)
        case DeckReshuffled(count=count):
            return _replace(state, reshuffles=count, reshuffled_at=state.turns)
        case HighNoonArmed() | HighNoonBegan():
            began = isinstance(event, HighNoonBegan)
            return _replace(state, high_noon=HighNoon.ON if began else HighNoon.WAITING)
        case HighNoonCalled(reason=reason):
            return _replace(state, high_noon=HighNoon.CALLED, ruled=reason)
        case RolesDeclared(roles=roles):
            return _apply_declaration(state, roles)
        case GameEnded() | SheetConfirmed() | GameVoided():
            return _apply_end(state, event)
        case JudgeCalled() | JudgeAnswered():
            return _replace(state, judge_called=isinstance(event, JudgeCalled), call_reason=None)
        case CallReasonGiven(reason=reason):
            return _replace(state, call_reason=reason)
        case StepsUndone() | StepsRedone():
            raise BadData("game log", "steps are undone and redone in a step of their own")
        case _:
            assert_never(event)


def _evolve_part(state: GameState, event: _OfAPart) -> GameState:
    """Apply an event of a part of the game that has its own module."""
    if isinstance(event, ClockEvent):
        return _replace(state, clock=clock_after(state.clock, event))
    if isinstance(event, AuctionEvent):
        return evolve_auction(state, event)
    if isinstance(event, RebelEvent):
        return evolve_rebel(state, event)
    if isinstance(event, TurnEvent):
        return _apply_turn_event(state, event)
    if isinstance(event, AgreementEvent):
        return evolve_agreement(state, event)
    if isinstance(event, CorrectionEvent):
        return evolve_correction(state, event)
    return _apply_duel_event(state, event)


def _apply_duel_event(state: GameState, event: duels.DuelEvent) -> GameState:
    """Apply an event to the duel, and copy its turn and its end to the table's state."""
    if state.duel is None:
        raise BadData("game log", f"there is no duel at table {state.table}")
    duel = evolve_duel(state.duel, event)
    phase = Phase.SHEET if duel.winner is not None else state.phase
    turns = state.turns + isinstance(event, duels.DuelTurnStarted)
    return _replace(state, duel=duel, turn=duel.turn, turns=turns, phase=phase)


def _apply_seating(event: TableSeated) -> GameState:
    is_game = event.match is MatchKind.GAME
    return GameState(
        game=event.game,
        tournament=event.tournament,
        tournament_name=event.tournament_name,
        rules=event.rules,
        round=event.round,
        table=event.table,
        match=event.match,
        phase=Phase.SEATING,
        mode=event.rules.mode,
        seats=tuple(
            Seat(
                seat=SeatNo(number),
                player=seated.player,
                name=seated.name,
                stake=seated.stake,
                warnings=seated.warnings,
                role=Role.SHERIFF if is_game and number == SHERIFF_SEAT else None,
            )
            for number, seated in enumerate(event.seats, start=1)
        ),
        turns_played=(0,) * len(event.seats),
        duel=None if is_game else duel_at_start(event.match),
    )


def _apply_end(state: GameState, event: GameEnded | SheetConfirmed | GameVoided) -> GameState:
    match event:
        case GameEnded(ending=ending, because=because, ruled=ruled):
            ended = _replace(state, phase=Phase.ENDED, pending=(), doubtful=(), high_noon_question=False)
            return _replace(
                ended, revolution_question=None, ending=ending, because=because, ruled=ruled or state.ruled
            )
        case SheetConfirmed(how=how):
            # The station may confirm a sheet from paper while a question is open at the table.
            return _replace(
                state, phase=Phase.CONFIRMED, confirmed=how, pending=(), doubtful=(), high_noon_question=False
            )
        case GameVoided():
            return _replace(
                state,
                phase=Phase.VOIDED,
                pending=(),
                doubtful=(),
                high_noon_question=False,
                revolution_question=None,
            )
        case _:
            assert_never(event)


def _apply_kept_cards(state: GameState, event: CardsKept) -> GameState:
    found = recorded_seat(state, event.seat)
    spent = Dollars(found.spent - found.cards.dollars + event.dollars)
    return with_seat(state, _replace(found, cards=CardsBought(event.cards, event.dollars), spent=spent))


def _apply_start(state: GameState, life: tuple[int, ...]) -> GameState:
    if len(life) != len(state.seats):
        raise BadData("game log", f"{len(life)} life points begin a game of {len(state.seats)} seats")
    seats = zip(state.seats, life, strict=True)
    return _replace(
        state,
        phase=Phase.PLAYING,
        seats=tuple(_replace(seat, life=points, max_life=points) for seat, points in seats),
    )


def _apply_declaration(state: GameState, roles: tuple[Role, ...]) -> GameState:
    if len(roles) != len(state.seats):
        raise BadData("game log", f"{len(roles)} roles are declared for {len(state.seats)} seats")
    seats = zip(state.seats, roles, strict=True)
    return _replace(state, phase=Phase.SHEET, seats=tuple(_replace(seat, role=role) for seat, role in seats))


def _turn_started(state: GameState, event: TurnStarted) -> GameState:
    seat = recorded_seat(state, event.seat)
    started = _replace(state, turn=event.seat, turns=state.turns + 1, passed=(), wounded=())
    if event.seat != state.ghost:
        started = _replace(started, ghost=None)
    if event.seat == state.sheriff:
        # The next event card takes effect.
        started = _replace(started, event_card=None)
    if event.loses:
        started = _apply_wound(started, event.seat, event.loses)
        started = _replace(started, high_noon_question=event.seat in started.pending)
    if seat.passive or started.high_noon_question:
        return started
    return turn_played(started, event.seat)


def _apply_turn_event(state: GameState, event: TurnEvent) -> GameState:
    match event:
        case TurnSkipped():
            return turn_skipped(state, event)
        case TurnsPassed(seats=seats, doubtful=doubtful):
            begun = state.doubtful_from if state.doubtful else len(state.eliminations)
            return _replace(state, passed=seats, doubtful=(*state.doubtful, *doubtful), doubtful_from=begun)
        case HighNoonSurvived(seat=seat):
            doubtful = tuple(other for other in state.doubtful if other != seat)
            return _answered(_replace(state, doubtful=doubtful))
        case TurnNamed(seat=seat):
            named = turn_played(state, recorded_seat(state, seat).seat)
            return _replace(named, turn=seat, turns=state.turns + 1, is_turn_unknown=False)
        case TurnUnknown():
            return _replace(state, is_turn_unknown=True)
        case RecordModeSet(mode=mode):
            return _replace(state, mode=mode)
        case _:
            assert_never(event)


def _apply_wound(state: GameState, seat: SeatNo, points: int) -> GameState:
    found = recorded_seat(state, seat)
    wounded = with_seat(state, _replace(found, life=found.life - points))
    if found.life > points or seat in state.pending:
        return wounded
    return _replace(wounded, pending=(*state.pending, seat))


def _apply_rescue(state: GameState, seat: SeatNo, points: int) -> GameState:
    found = recorded_seat(state, seat)
    saved = with_seat(state, _replace(found, life=found.life + points))
    if found.life + points <= 0:
        return saved
    if state.high_noon_question:
        saved = turn_played(saved, seat)
    return _apply_answer(saved, seat)


def _apply_elimination(state: GameState, event: PlayerEliminated) -> GameState:
    out = with_seat(state, _replace(recorded_seat(state, event.seat), in_play=False, life=0, role=event.role))
    elimination = Elimination(
        seat=event.seat,
        by=event.by,
        turn=event.turn,
        effect=event.effect,
        cause=event.cause,
        role=event.role,
    )
    doubtful = tuple(seat for seat in state.doubtful if seat != event.seat)
    since = state.eliminations[state.doubtful_from :]
    is_passed = event.seat in state.doubtful and event.cause is Cause.HIGH_NOON
    if event.is_earlier:
        later = (n for n, told in enumerate(state.eliminations) if told.effect >= event.effect)
        out = _insert_elimination(out, elimination, next(later, len(state.eliminations)))
    elif is_passed and all(event.effect <= told.effect for told in since):
        out = _insert_elimination(out, elimination, state.doubtful_from)
    else:
        out = _append_elimination(out, elimination)
    if state.high_noon_question and event.seat not in state.pending:
        # Dynamite of a player who left, before High Noon's question: that card is complete.
        out = _replace(out, effects=event.effect)
    # An elimination entered late is not the newest one.
    last_out_turn = state.last_out_turn if event.is_earlier else state.turns
    return _apply_answer(_replace(out, doubtful=doubtful, last_out_turn=last_out_turn), event.seat)


def _append_elimination(state: GameState, elimination: Elimination) -> GameState:
    """Return the state with one more elimination; Revolutions and returns by its card come after it."""
    count = len(state.eliminations)
    if count and state.eliminations[-1].effect == elimination.effect:
        state = _move_events(state, count - 1)
    return _replace(state, eliminations=(*state.eliminations, elimination))


def _move_events(state: GameState, index: int) -> GameState:
    """Return the state with Revolutions and returns after an index shifted by one."""
    return _replace(
        state,
        comebacks=tuple(_replace(back, after=back.after + (back.after > index)) for back in state.comebacks),
        revolutions=tuple(_replace(one, after=one.after + (one.after > index)) for one in state.revolutions),
    )


def _insert_elimination(state: GameState, elimination: Elimination, index: int) -> GameState:
    """Return the state with an elimination inserted before those from this index on."""
    before, since = state.eliminations[:index], state.eliminations[index:]
    later = (_replace(told, effect=told.effect + 1) for told in since)
    return _replace(
        _move_events(state, index),
        eliminations=(*before, elimination, *later),
        effects=state.effects + 1,
        doubtful_from=state.doubtful_from + (index <= state.doubtful_from),
        abandonments=tuple(
            _replace(left, after_eliminations=left.after_eliminations + (left.after_eliminations > index))
            for left in state.abandonments
        ),
    )


def _apply_answer(state: GameState, seat: SeatNo) -> GameState:
    """Close the question of a seat; the last answer completes the effect, if anybody was eliminated by it."""
    pending = tuple(other for other in state.pending if other != seat)
    effects = state.effects
    if not pending and state.eliminations:
        effects = max(effects, state.eliminations[-1].effect)
    hits = tuple(hit for hit in state.hits_by_leavers if hit[0] != seat)
    at_noon = state.high_noon_question and bool(pending)
    return _answered(
        _replace(state, pending=pending, high_noon_question=at_noon, effects=effects, hits_by_leavers=hits)
    )


def _answered(state: GameState) -> GameState:
    """Return the state after an answer; after the last one the passed turns are forgotten."""
    is_open = bool(state.pending or state.doubtful)
    return state if is_open else _replace(state, doubtful_from=0)


def _apply_abandonment(state: GameState, event: PlayerAbandoned) -> GameState:
    abandonment = Abandonment(
        seat=event.seat, after_eliminations=len(state.eliminations), ejected=event.ejected
    )
    left = with_seat(state, _replace(recorded_seat(state, event.seat), passive=True))
    ejection = Penalty(event.seat, event.offence, event.reason)
    ejections = (*state.ejections, ejection) if event.ejected else state.ejections
    abandonments = (*state.abandonments, abandonment)
    hits = (*state.hits_by_leavers, *((victim, event.seat) for victim in state.pending))
    return _all_here(_replace(left, abandonments=abandonments, ejections=ejections, hits_by_leavers=hits))


def _all_here(state: GameState) -> GameState:
    if state.phase is Phase.SEATING and all(seat.checked_in or seat.passive for seat in state.seats):
        return _replace(state, phase=Phase.ROLES if state.duel is None else Phase.DUEL)
    return state
