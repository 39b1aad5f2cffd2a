"""Invariants of every moment, whatever was touched; each returns what is wrong."""

from collections.abc import Iterator
from typing import Final

from core.game.state.game import GameState, Phase
from kiosk.ui.blocks import Target
from kiosk.ui.geometry import Rect, ScreenGeometry
from kiosk.ui.painter import REACH_PX
from kiosk.view.table_view import Delivery

LEAST_MM: Final = 10.0
_ROUNDING_MM: Final = 0.15
_RUNNING: Final = frozenset({Phase.PLAYING})
_OVER: Final = frozenset({Phase.SHEET, Phase.CONFIRMED})


def screen_faults(scene: str, targets: tuple[Target, ...], glass: ScreenGeometry) -> Iterator[str]:
    """Targets lie on the glass, are large enough for a finger, apart, and have names of their own."""
    if scene == "trouble":
        yield "the failsafe scene is shown"
    if len({target.id for target in targets}) != len(targets):
        yield f"{scene}: two targets have one name: {sorted(target.id for target in targets)}"
    # The picture wanders by a few pixels so that nothing burns in; its edge is then off the glass.
    least = (LEAST_MM - _ROUNDING_MM) * glass.px_per_mm - REACH_PX
    for number, target in enumerate(targets):
        rect = Rect(*target.rect)
        if rect.x < 0 or rect.y < 0 or rect.right > glass.width or rect.bottom > glass.height:
            yield f"{scene}: {target.id} leaves the glass: {target.rect}"
        if min(rect.w, rect.h) < least:
            yield f"{scene}: {target.id} is too small for a finger: {target.rect}"
        if not target.label:
            yield f"{scene}: {target.id} says nothing"
        for other in targets[number + 1 :]:
            if target.id.endswith("-turn") and other.id == target.id.replace("-turn", "-menu"):
                continue  # a tap and a hold of one place
            if rect.overlaps(Rect(*other.rect)):
                yield f"{scene}: {target.id} and {other.id} overlap"


def game_faults(game: GameState) -> Iterator[str]:
    """A game that can be on a table: life in bounds, one turn, the dead stay dead."""
    out = {elimination.seat for elimination in game.eliminations}
    for seat in game.seats:
        if seat.seat in out and seat.in_play:
            yield f"seat {seat.seat} is eliminated and in play"
        if seat.life > seat.max_life:
            yield f"seat {seat.seat} has {seat.life} of {seat.max_life} life points"
        if game.phase in _RUNNING and seat.in_play and seat.life <= 0 and seat.seat not in game.pending:
            yield f"seat {seat.seat} is in play with {seat.life} life points, and nobody asks"
    for seat_no in game.pending:
        if not game.seats[seat_no - 1].in_play or game.seats[seat_no - 1].life > 0:
            yield f"seat {seat_no} is asked about its last life point with no reason"
    if game.phase in _RUNNING and (game.turn is None or not 1 <= game.turn <= len(game.seats)):
        yield f"it is the turn of seat {game.turn}"
    if game.phase in _OVER and game.duel is None and game.confirmed is None and game.ending is None:
        yield f"{game.phase.value} without an ending"
    closed = {Phase.CONFIRMED, Phase.VOIDED} if game.confirmed is not None else {*Phase} - {Phase.CONFIRMED}
    if game.phase not in closed:
        yield f"{game.phase.value}, confirmed by {game.confirmed}"


def delivery_faults(before: Delivery, now: Delivery) -> Iterator[str]:
    """Entered, saved, received: each at most the one before, none of them shrinks."""
    if not now.entered >= now.saved >= now.received >= 0:
        yield f"entered {now.entered}, saved {now.saved}, received {now.received}"
    if now.entered < before.entered or now.saved < before.saved or now.received < before.received:
        yield f"entered, saved or received has shrunk: {before} to {now}"
