"""Turns under the High Noon rule, from plain events: the life points lost at the start of each turn."""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from base.errors import BadData
from core.cli.cases.case import Case
from core.editions.edition import Edition
from core.game.ending.endings import InProgress, outcome
from core.game.play.high_noon import (
    high_noon_after_reshuffle,
    high_noon_at_turn_start,
    high_noon_loss,
    reshuffles_to_high_noon,
)
from core.game.play.wounds import beer_has_effect, sid_has_effect
from core.game.state.game import Cause, Elimination, HighNoon
from core.terms import Ending, Role, SeatNo

_Response = Literal["beer", "missed", "sid_ketchum"]


class _Plain(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    pass


class _TracedTurn(_Plain, frozen=True, tag="turn_start"):
    seat: SeatNo
    response: _Response | None = None


class _PlainReshuffle(_Plain, frozen=True, tag="reshuffle"):
    """The discard pile is reshuffled."""


class _LifeChange(_Plain, frozen=True, tag="life"):
    seat: SeatNo
    delta: int  # below 0 for wounds


class _TracedElimination(_Plain, frozen=True, tag="eliminated"):
    seat: SeatNo
    by: SeatNo | None = None  # None for Dynamite


class _TracedAbandonment(_Plain, frozen=True, tag="abandon"):
    """A player leaves; the character stays in play, passive."""

    seat: SeatNo


_PlainEvent = _TracedTurn | _PlainReshuffle | _LifeChange | _TracedElimination | _TracedAbandonment


class PlainGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game as plain events, with the life points (the Sheriff's extra one included) and roles by seat."""

    players: int
    life: tuple[int, ...]
    events: tuple[_PlainEvent, ...]
    sheriff_seat: SeatNo = SeatNo(1)
    roles: tuple[Role, ...] | None = None

    def __post_init__(self) -> None:
        if len(self.life) != self.players:
            raise ValueError(f"{len(self.life)} seats in life for {self.players} players")
        if self.roles is not None and len(self.roles) != self.players:
            raise ValueError(f"{len(self.roles)} roles for {self.players} players")
        sheriffs = [seat for seat, role in enumerate(self.roles or (), start=1) if role is Role.SHERIFF]
        if self.roles is not None and sheriffs != [self.sheriff_seat]:
            raise ValueError(f"seat {self.sheriff_seat} is not the only Sheriff in roles")


class Turn(msgspec.Struct, frozen=True):
    """A turn start. event: index of its event, from 0. accepted: None without a response."""

    event: int
    seat: SeatNo
    loss: int
    life_after: int
    eliminated: bool
    accepted: bool | None = None


class Trace(msgspec.Struct, frozen=True):
    """The state of a plain game after an event.

    life: life points by seat, 0 for eliminated players.
    armed_at, active_from: indices of events, or None until then.
    sheriff: the player who became Sheriff by a Revolution.
    """

    life: tuple[int, ...]
    out: frozenset[SeatNo] = frozenset()
    passive: frozenset[SeatNo] = frozenset()
    turn: SeatNo | None = None
    reshuffles: int = 0
    high_noon: HighNoon = HighNoon.OFF
    armed_at: int | None = None
    active_from: int | None = None
    turns: tuple[Turn, ...] = ()
    eliminations: tuple[Elimination, ...] = ()
    ending: Ending | None = None
    sheriff: SeatNo | None = None


def trace_game(game: PlainGame, edition: Edition, where: str) -> tuple[Trace, ...]:
    """Return the states of a game: before its first event, then after each event.

    Raises BadData naming an impossible event.
    Source: Championship 2022/23 v1.4, 1.1 "High Noon"; readings D10 to D17, D47, D48.
    """
    traces = [Trace(game.life)]
    for number, event in enumerate(game.events):
        place = f"{where}, events[{number}]"
        trace = traces[-1]
        if not isinstance(event, _PlainReshuffle):
            _check_in_play(trace, event.seat, place)
        traces.append(_after(trace, event, number, game, edition))
    return tuple(traces)


def _check_in_play(trace: Trace, seat: SeatNo, where: str) -> None:
    if not 1 <= seat <= len(trace.life):
        raise BadData(where, f"there is no seat {seat}")
    if trace.ending is not None:
        raise BadData(where, "the game is already over")
    if seat in trace.out:
        raise BadData(where, f"seat {seat} is already out")


def _after(trace: Trace, event: _PlainEvent, number: int, game: PlainGame, edition: Edition) -> Trace:
    match event:
        case _TracedTurn():
            return _turn_started(trace, event, number, game, edition)
        case _PlainReshuffle():
            count = trace.reshuffles + 1
            threshold = reshuffles_to_high_noon(game.players, edition)
            now = high_noon_after_reshuffle(trace.high_noon, count=count, threshold=threshold)
            armed = number if now is not trace.high_noon else trace.armed_at
            return replace(trace, reshuffles=count, high_noon=now, armed_at=armed)
        case _LifeChange():
            return replace(trace, life=_with(trace.life, event.seat, event.delta))
        case _TracedElimination():
            cause = Cause.DYNAMITE if event.by is None else Cause.PLAYER
            return _eliminate(trace, game, edition, seat=event.seat, by=event.by, cause=cause)
        case _TracedAbandonment():
            return replace(trace, passive=trace.passive | {event.seat})


def _turn_started(trace: Trace, event: _TracedTurn, number: int, game: PlainGame, edition: Edition) -> Trace:
    seat = event.seat
    now = high_noon_at_turn_start(
        trace.high_noon,
        edition,
        seat=seat,
        # Only a Rebel! who became Sheriff has two turns in a row; the first wasn't a Sheriff's.
        previous=trace.turn if trace.turn != seat else None,
        sheriff=game.sheriff_seat if trace.sheriff is None else trace.sheriff,
        living=set(map(SeatNo, range(1, game.players + 1))) - trace.out,
    )
    began = number if now is HighNoon.ON and trace.active_from is None else trace.active_from
    loss = high_noon_loss(now, edition, passive=seat in trace.passive)
    life = trace.life[seat - 1] - loss
    accepted = None
    if event.response is not None:
        accepted = loss > 0 and life <= 0 and _is_saved(trace, seat, event.response, game, edition)
    if accepted:
        life += 1
    dead = loss > 0 and life <= 0
    turn = Turn(number, seat, loss, max(life, 0), dead, accepted)
    after = replace(
        trace,
        life=_with(trace.life, seat, life - trace.life[seat - 1]),
        turn=seat,
        high_noon=now,
        active_from=began,
        turns=(*trace.turns, turn),
    )
    return _eliminate(after, game, edition, seat=seat, by=None, cause=Cause.HIGH_NOON) if dead else after


def _is_saved(trace: Trace, seat: SeatNo, response: _Response, game: PlainGame, edition: Edition) -> bool:
    # Source: Championship 2022/23 v1.4, 4 "General case study and FAQ"; readings D12, D14, D17, D48.
    if seat in trace.passive:
        return False
    left = game.players - len(trace.out)
    match response:
        case "beer":
            return beer_has_effect(life=0, max_life=trace.life[seat - 1], players_left=left)
        case "sid_ketchum":
            return edition.readings.high_noon_sid_ketchum and sid_has_effect(edition, players_left=left)
        case "missed":
            return False


def _eliminate(
    trace: Trace, game: PlainGame, edition: Edition, *, seat: SeatNo, by: SeatNo | None, cause: Cause
) -> Trace:
    after = replace(trace, out=trace.out | {seat}, life=_with(trace.life, seat, -trace.life[seat - 1]))
    if game.roles is None:
        return after
    elimination = Elimination(
        seat=seat,
        by=by,
        turn=trace.turn or seat,
        effect=len(trace.eliminations) + 1,
        cause=cause,
        role=game.roles[seat - 1],
    )
    eliminations = (*trace.eliminations, elimination)
    ended = outcome(game.roles, eliminations, edition.readings)
    ending = None if isinstance(ended, InProgress) else ended.ending
    star = None if ended.revolution is None else ended.revolution.seat
    return replace(after, eliminations=eliminations, ending=ending, sheriff=star)


def _with(life: Sequence[int], seat: SeatNo, change: int) -> tuple[int, ...]:
    return tuple(points + change if number == seat else points for number, points in enumerate(life, start=1))


def high_noon(case: Case) -> Mapping[str, object]:
    """Return when High Noon is armed and begins, every turn start, and the final life points."""
    game = case.read(PlainGame)
    return trace_fields(trace_game(game, case.edition, f"{case.where}, input")[-1])


def trace_fields(trace: Trace) -> Mapping[str, object]:
    """Return a trace in the format of the worked cases."""
    return {
        "armed_at_event": trace.armed_at,
        "active_from_event": trace.active_from,
        "turns": [_turn_fields(turn) for turn in trace.turns],
        "outcome": None if trace.ending is None else trace.ending.value,
        "final_life": [max(points, 0) for points in trace.life],
    }


def _turn_fields(turn: Turn) -> Mapping[str, object]:
    fields: dict[str, object] = {"event": turn.event, "seat": turn.seat, "loss": turn.loss}
    if turn.accepted is not None:
        fields["response_accepted"] = turn.accepted
    return fields | {"life_after": turn.life_after, "eliminated": turn.eliminated}
