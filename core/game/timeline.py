"""The steps of a game that haven't been undone, each with the state after it.

Calls of the judge, warnings and changes to the clock can't be undone. Such a step only changes the last
state, so that the table can still undo the step before it.
"""

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from base.errors import BadData
from core.game.clock import ClockEvent
from core.game.decide import GameCommand
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge, GiveCallReason, WarnPlayer
from core.game.ending.rebel import PlayerCameBack, RevealRebel
from core.game.ending.sheet import AgreementEvent
from core.game.events import GameStep, TurnEvent, evolve
from core.game.play.abandonment import Abandon
from core.game.play.eliminations import Eliminate, PlayerEliminated
from core.game.play.reshuffles import DeckReshuffled, HighNoonArmed, Reshuffle
from core.game.play.turns import HighNoonBegan, TurnStarted
from core.game.play.wounds import LastLifeSaved, LoseLife, RegainLife, SaveLastLife
from core.game.setup import CheckIn, TableSeated
from core.game.state.decisions import StepsRedone, Undo
from core.game.state.game import Cause, GameState, HighNoon, Phase
from core.game.state.seats import seats_after
from core.terms import SeatNo

NO_MOVE = CallJudge | GiveCallReason | AnswerJudgeCall | WarnPlayer | ClockEvent
"""Events that can't be undone."""


class Moment(msgspec.Struct, frozen=True):
    """A step that hasn't been undone, and the state after it."""

    step: GameStep
    state: GameState


class Timeline(msgspec.Struct, frozen=True):
    """A game so far. The first moment seats the table.

    undone: the moments removed by each of the last undos, oldest first; empty after any other step.
    """

    moments: tuple[Moment, ...]
    undone: tuple[tuple[Moment, ...], ...] = ()

    @property
    def taken_back(self) -> tuple[Moment, ...]:
        return self.undone[-1] if self.undone else ()

    @property
    def state(self) -> GameState:
        return self.moments[-1].state

    @property
    def steps(self) -> tuple[GameStep, ...]:
        return tuple(moment.step for moment in self.moments)


def extend(timeline: Timeline | None, step: GameStep) -> Timeline:
    """Return the timeline after one more step, which begins a new one if it seats a table.

    Raises BadData for an impossible step, which means that the log is damaged.
    """
    if not step.events:
        raise BadData("game log", "a step has no events")
    if isinstance(step.events[0], TableSeated):
        state = _after(None, step)
        if state.game != step.game:
            raise BadData("game log", f"a step of game {step.game} seats game {state.game}")
        return Timeline((Moment(step, state),))
    if timeline is None:
        raise BadData("game log", "the first step must seat a table")
    if step.game != timeline.state.game:
        raise BadData("game log", f"a step of game {step.game} stands in game {timeline.state.game}")
    if isinstance(step.events[0], Undo):
        return _undone(timeline, step, step.events[0].steps)
    if isinstance(step.events[0], StepsRedone):
        return _redone(timeline, step, step.events[0].steps)
    state = _after(timeline.state, step)
    if all(isinstance(event, NO_MOVE) for event in step.events):
        same = (*timeline.moments[:-1], Moment(timeline.moments[-1].step, state))
        return Timeline(same, timeline.undone)
    return Timeline((*timeline.moments, Moment(step, state)))


def fold(steps: Iterable[GameStep]) -> Timeline | None:
    """Return the timeline of the last game in a log, or None for an empty log.

    Raises BadData if a step is impossible, naming its number, from 1.
    """
    timeline: Timeline | None = None
    for number, step in enumerate(steps, start=1):
        try:
            timeline = extend(timeline, step)
        except BadData as error:
            raise BadData(f"{error.where}, step {number}", error.problem) from error
    return timeline


def undoable(timeline: Timeline | None, at_most: int | None = None) -> int:
    """Return the number of steps that may be undone, counting up to ``at_most``.

    Orders from the station can't be undone, nor can anything before them. Only a check-in by phone can,
    although it arrives as an order. Nothing can be undone once the sheet is confirmed.
    """
    if timeline is None or timeline.state.phase is Phase.CONFIRMED:
        return 0
    count = 0
    for moment in reversed(timeline.moments[1:]):
        is_check_in = all(isinstance(event, CheckIn) for event in moment.step.events)
        if count == at_most or (moment.step.order is not None and not is_check_in):
            break
        count += 1
    return count


FEW_STEPS: Final = 3
"""The number of steps that players may undo while turns are not recorded."""


def undoable_freely(timeline: Timeline | None) -> int:
    """Return the number of steps that the players may undo without a judge: those of the latest turn.

    Undoing steps doesn't allow them to go further back.
    """
    if timeline is None:
        return 0
    latest = max(map(_turns_entered, (timeline.moments[-1], *sum(timeline.undone, ()))))
    count = 0
    for moment in reversed(timeline.moments):
        if moment.state.turns < latest:
            break
        count += 1
    limit = FEW_STEPS if timeline.state.is_turn_unknown else count
    return undoable(timeline, min(count, limit))


def _turns_entered(moment: Moment) -> int:
    """Return the number of turns up to a moment, without those that started because of an elimination."""
    events = moment.step.events
    out = next((place for place, event in enumerate(events) if isinstance(event, PlayerEliminated)), None)
    passed = () if out is None else (event for event in events[out:] if isinstance(event, TurnStarted))
    return moment.state.turns - len(tuple(passed))


def redoable(timeline: Timeline | None) -> int:
    return 0 if timeline is None or timeline.state.phase is Phase.CONFIRMED else len(timeline.taken_back)


def answers_on_ending(timeline: Timeline | None) -> int:
    """Return how many of the last steps are players' answers on the ending."""
    count = 0
    for moment in reversed(() if timeline is None else timeline.moments[1:]):
        if not isinstance(moment.step.events[0], AgreementEvent):
            break
        count += 1
    return count


def _undone(timeline: Timeline, step: GameStep, steps: int) -> Timeline:
    if len(step.events) != 1 or not 1 <= steps < len(timeline.moments):
        raise BadData(
            "game log",
            f"{steps} steps are taken back where {len(timeline.moments) - 1} can be, alone in a step",
        )
    kept = timeline.moments[:-steps]
    now = timeline.state
    state = replace(
        kept[-1].state,
        judge_called=now.judge_called,
        call_reason=now.call_reason,
        clock=now.clock,
        warnings=now.warnings,
    )
    undone = (*timeline.undone, timeline.moments[-steps:])
    return Timeline((*kept[:-1], Moment(kept[-1].step, state)), undone)


def _redone(timeline: Timeline, step: GameStep, steps: int) -> Timeline:
    if len(step.events) != 1 or steps != len(timeline.taken_back) or not steps:
        raise BadData("game log", f"{steps} steps are redone where {len(timeline.taken_back)} can be")
    moments = list(timeline.moments)
    for moment in timeline.taken_back:
        moments.append(Moment(moment.step, _after(moments[-1].state, moment.step)))
    return Timeline(tuple(moments), timeline.undone[:-1])


def _after(state: GameState | None, step: GameStep) -> GameState:
    for event in step.events:
        state = evolve(state, event)
    assert state is not None  # a step has events
    return state


def steps_back_to_turn(timeline: Timeline | None, seat: SeatNo) -> int | None:
    """Return the number of steps to undo to get back to a seat's last turn.

    Return None if the table probably means the seat's next turn instead, and if turns are not recorded. If
    nobody entered the end of the last turn, the undo leads to the turn before it.
    """
    if timeline is None or not _is_far_on(timeline.state, seat):
        return None
    oldest = timeline.state.turns - len(timeline.state.seats)
    for steps, moment in enumerate(reversed(timeline.moments)):
        state = moment.state
        if state.phase is not Phase.PLAYING or state.turns < oldest or state.is_turn_unknown:
            break
        if state.turn == seat:
            return steps
        if any(isinstance(event, TurnStarted) and event.seat == seat for event in moment.step.events):
            return steps + 1
    return None


def entries_of(step: GameStep, before: GameState) -> tuple[GameCommand, ...] | None:
    """Return the commands that enter a step again after the turns were corrected, or None if impossible.

    ``before`` is the state before the step. A step that only started turns needs no commands.
    """
    match step.events:
        case (LoseLife() | RegainLife() | RevealRebel() as entry,):
            return (entry,)
        case (LastLifeSaved(seat=seat, rescue=rescue), *_):
            return (SaveLastLife(seat, rescue),)
        case (PlayerEliminated() as out, *_) if out.cause is not Cause.HIGH_NOON:
            return (Eliminate(out.seat, out.by, out.role, out.cause, _answer(out, before)),)
        case (Abandon() as left, *_):
            return (left,)
        case (DeckReshuffled(),) | (DeckReshuffled(), HighNoonArmed()):
            return (Reshuffle(),)
        case events:
            only_turns = (TurnStarted, HighNoonBegan, PlayerCameBack, TurnEvent)
            return () if all(isinstance(event, only_turns) for event in events) else None


def _answer(out: PlayerEliminated, before: GameState) -> bool | None:
    """Return the table's answer on whether one card eliminated both players, or None if it wasn't asked."""
    newest = before.eliminations[-1].effect if before.eliminations else 0
    if newest > before.effects and (out.effect > newest or out.is_earlier):
        return False
    return out.same_card or None


def _is_far_on(state: GameState, seat: SeatNo) -> bool:
    """Return whether a seat's next turn is so far off that the table probably means the last one."""
    if state.phase is not Phase.PLAYING or state.is_turn_unknown or state.turn in {None, seat}:
        return False
    order = [other.seat for other in seats_after(state, seat) if other.in_play]
    if state.turn not in order:
        return False
    since = order.index(state.turn)
    passed = len(order) - 2 - since
    return passed > 0 and (not since or passed * 2 > len(order))


_HAS_LIFE_POINTS = frozenset({Phase.PLAYING, Phase.ENDED, Phase.SHEET, Phase.CONFIRMED, Phase.VOIDED})


class LifeLine(msgspec.Struct, frozen=True):
    """A seat's life points: at the start of the game, then at the end of each turn.

    is_out: whether the player was eliminated at the last point.
    """

    seat: SeatNo
    points: tuple[int, ...]
    is_out: bool = False


class LifeLines(msgspec.Struct, frozen=True):
    """A chart of the life points in a game.

    moments: index of the timeline's last moment before the first turn, then of the last one in each turn.
    most: the highest value.
    noon_from: the turn when High Noon began.
    """

    lines: tuple[LifeLine, ...]
    moments: tuple[int, ...]
    most: int
    noon_from: int | None = None

    @property
    def turns(self) -> int:
        return len(self.moments) - 1


def life_lines(timeline: Timeline | None) -> LifeLines | None:
    """Return the life points so far, or None before the first turn and in a duel."""
    if timeline is None or timeline.state.duel is not None:
        return None
    played = [
        (index, moment.state)
        for index, moment in enumerate(timeline.moments)
        if moment.state.turns and moment.state.phase in _HAS_LIFE_POINTS
    ]
    if not played:
        return None
    # The turns of a damaged log may have gaps: the last known value is kept.
    by_turn: dict[int, tuple[int, GameState]] = {0: played[0]}
    by_turn.update({state.turns: (index, state) for index, state in played})
    states = {turn: state for turn, (_, state) in by_turn.items()}
    noon = next((turn for turn, state in states.items() if turn and state.high_noon is HighNoon.ON), None)
    lines = tuple(_line(states, seat.seat) for seat in timeline.state.seats)
    most = max((point for line in lines for point in line.points), default=1)
    return LifeLines(lines, tuple(index for index, _ in by_turn.values()), max(1, most), noon)


def _line(states: Mapping[int, GameState], number: SeatNo) -> LifeLine:
    seats = [(turn, state.seats[number - 1]) for turn, state in states.items()]
    points = [max(0, seat.max_life if turn == 0 else seat.life) for turn, seat in seats]
    is_out = not seats[-1][1].in_play and seats[-1][0] > 0
    if is_out:
        # Stop at the last elimination, as an event card may have brought the player back earlier.
        last = max((index for index, (turn, seat) in enumerate(seats) if seat.in_play or not turn))
        points = points[: last + 2]
    return LifeLine(number, tuple(points), is_out=is_out)
