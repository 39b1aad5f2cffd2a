"""Cases of High Noon: what each turn start takes."""

from collections.abc import Mapping

from saloon.core.cli.cases.turn_trace import PlainGame, Trace, Turn, traced
from saloon.core.cli.cases.vectors import Vector
from saloon.core.cli.files import decoded
from saloon.core.editions.edition import Edition


def high_noon(vector: Vector, edition: Edition, where: str) -> Mapping[str, object]:
    """Return when High Noon is armed and begins, every turn start, and the life points at the end."""
    game = decoded(vector.input, PlainGame, f"{where}, input")
    return trace_fields(traced(game, edition, f"{where}, input")[-1])


def trace_fields(trace: Trace) -> Mapping[str, object]:
    """Return a trace as the worked cases write it."""
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
