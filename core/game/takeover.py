"""Games that move between terminals, as steps that each name their origin.

A *game log* is a game as recorded by one terminal, starting with a seating. A log that was taken over
begins with copies of another terminal's steps. Copies name their origin, so that every step counts once,
however many terminals have it.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from core.game.ending.sheet import AgreeEnding, ConfirmSheet, WaiveAgreement
from core.game.events import GameStep, StepOrigin
from core.game.setup import TableSeated

PART_BYTES = 48 * 1024
"""Approximate size limit for the steps in one order, to keep slow lines free for other messages."""

_encoder = msgspec.msgpack.Encoder()


class StepWithOrigin(msgspec.Struct, frozen=True):
    """A step and its origin."""

    origin: StepOrigin
    step: GameStep


def step_with_origin(step: GameStep, terminal: str, epoch: str, seq: int) -> StepWithOrigin:
    """Return a step of a terminal's stream with its origin; a copy keeps its original one."""
    if isinstance(step.origin, StepOrigin):
        return StepWithOrigin(step.origin, step)
    return StepWithOrigin(StepOrigin(terminal, epoch, seq), step)


def is_same_step(one: StepWithOrigin, other: StepWithOrigin) -> bool:
    """Return whether two entries are the same step: the same origin, or a seating of the same players.

    Seatings have no common origin, as each terminal records its own from the station's order.
    """
    if one.origin == other.origin:
        return True
    return _seating(one.step) is not None and _seating(one.step) == _seating(other.step)


def is_continued_by(counted: Sequence[StepWithOrigin], other: Sequence[StepWithOrigin]) -> bool:
    """Return whether another log directly continues the counted one, so that it may be merged."""
    return 0 < len(counted) < len(other) and all(map(is_same_step, counted, other))


def steps_not_counted(
    counted: Sequence[StepWithOrigin], other: Sequence[StepWithOrigin]
) -> tuple[StepWithOrigin, ...]:
    """Return the steps of another log that the counted one lacks, in order."""
    origins = {step.origin for step in counted}
    first = counted[0] if counted else None
    return tuple(
        step
        for step in other
        if step.origin not in origins and not (first is not None and is_same_step(first, step))
    )


def is_confirmation(step: GameStep) -> bool:
    return any(isinstance(event, ConfirmSheet) for event in step.events)


def is_agreement(step: GameStep) -> bool:
    return bool(step.events) and all(isinstance(event, AgreeEnding | WaiveAgreement) for event in step.events)


def parts(
    steps: Sequence[StepWithOrigin], first: int = 0
) -> Iterator[tuple[int, tuple[StepWithOrigin, ...]]]:
    """Yield the steps from index ``first`` in parts of about ``PART_BYTES``, each with its start index."""
    begun, size, held = first, 0, list[StepWithOrigin]()
    for step in steps[first:]:
        length = len(_encoder.encode(step))
        if held and size + length > PART_BYTES:
            yield begun, tuple(held)
            begun, size, held = begun + len(held), 0, []
        held.append(step)
        size += length
    if held:
        yield begun, tuple(held)


def origins_of(steps: Iterable[StepWithOrigin]) -> tuple[StepOrigin, ...]:
    return tuple(step.origin for step in steps)


def _seating(step: GameStep) -> tuple[object, ...] | None:
    seated = step.events[0] if step.events else None
    if not isinstance(seated, TableSeated):
        return None
    return seated.game, seated.round, seated.table, tuple(player.player for player in seated.seats)
