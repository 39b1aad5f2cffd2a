"""The takeover of a game from another terminal: the steps missing here, and copies of them."""

from collections.abc import Sequence

import msgspec

from saloon.base.errors import BadData
from saloon.core.game.correction.takeover import StepWithOrigin, origins_of
from saloon.core.game.events import GameStep, StepOrigin
from saloon.core.game.timeline import Timeline, extend
from saloon.core.orders import TakeGame


def missing_steps(
    order: TakeGame, timeline: Timeline | None, held: Sequence[StepOrigin | None]
) -> tuple[StepWithOrigin, ...]:
    """Return the steps of an order that this terminal does not hold yet.

    timeline, held: the game as it is here, and where each of its steps was first written, None
    for here. Empty where all are held, or where the game went on otherwise here: then they stay
    with the station. Raises BadData for steps that no game can have.
    """
    origins = origins_of(order.steps)
    here = tuple(held[order.first :][: len(origins)])
    is_held_so_far = len(held) >= order.first and here == origins[: len(here)]
    if is_held_so_far and (held or order.first == 0):
        missing = order.steps[len(here) :]
    elif order.first == 0:
        missing, timeline = order.steps, None
    else:
        return ()
    for told in missing:
        if told.step.game != order.game:
            raise BadData("order", f"a step of game {told.step.game} stands in an order of {order.game}")
        timeline = extend(timeline, told.step)
    return missing


def copy_of(told: StepWithOrigin, order: int, orders_done: int) -> GameStep:
    """Return the step to write down here. order: the number of the order that brought it.

    What a hand did stays a hand's, so that it can be taken back here; what the station ordered there
    was ordered here by this order.
    """
    return msgspec.structs.replace(
        told.step,
        order=None if told.step.order is None else order,
        orders_done=orders_done,
        origin=told.origin,
    )
