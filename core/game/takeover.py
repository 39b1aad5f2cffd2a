"""Games that move from one terminal to another.

A *game log* consists of the steps of a game in one terminal's journal, from its seating on. A log that was
taken over begins with copies of another terminal's steps. Each copy names the original, so that every step
counts once.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from core.game.ending.sheet import AgreeEnding, ConfirmSheet, WaiveAgreement
from core.game.events import GameStep, StepOrigin
from core.game.setup import TableSeated

PART_BYTES = 48 * 1024
"""Approximate size limit for the steps in one order, so that other messages get through on a slow line."""

_encoder = msgspec.msgpack.Encoder()


class StepWithOrigin(msgspec.Struct, frozen=True):
    """A step, and the journal in which it was recorded first."""

    origin: StepOrigin
    step: GameStep


def step_with_origin(step: GameStep, terminal: str, epoch: str, seq: int) -> StepWithOrigin:
    """Return a step with its origin, which is this place in a terminal's journal unless it is a copy."""
    if isinstance(step.origin, StepOrigin):
        return StepWithOrigin(step.origin, step)
    return StepWithOrigin(StepOrigin(terminal, epoch, seq), step)


def is_same_step(one: StepWithOrigin, other: StepWithOrigin) -> bool:
    """Return whether two entries are the same step.

    They usually have the same origin. Only seatings don't, as each terminal records its own from an order.
    """
    if one.origin == other.origin:
        return True
    return _seating(one.step) is not None and _seating(one.step) == _seating(other.step)


def is_continued_by(counted: Sequence[StepWithOrigin], other: Sequence[StepWithOrigin]) -> bool:
    """Return whether another log begins with all steps of the counted one and has more."""
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
    """Yield the steps from an index on, in parts of about ``PART_BYTES``, each with its first index."""
    begun, size, part = first, 0, list[StepWithOrigin]()
    for step in steps[first:]:
        length = len(_encoder.encode(step))
        if part and size + length > PART_BYTES:
            yield begun, tuple(part)
            begun, size, part = begun + len(part), 0, []
        part.append(step)
        size += length
    if part:
        yield begun, tuple(part)


def origins_of(steps: Iterable[StepWithOrigin]) -> tuple[StepOrigin, ...]:
    return tuple(step.origin for step in steps)


def _seating(step: GameStep) -> tuple[object, ...] | None:
    seated = step.events[0] if step.events else None
    if not isinstance(seated, TableSeated):
        return None
    return seated.game, seated.round, seated.table, tuple(player.player for player in seated.seats)
