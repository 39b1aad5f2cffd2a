"""Watches a table while a monkey plays: nothing impossible, no result without its confirmations."""

from collections.abc import Iterator
from typing import Final

import msgspec

from core.game.clock import EndByTimeLimit
from core.game.decide import GameCommand
from core.game.ending.sheet import (
    AgreeEnding,
    ConfirmSheet,
    DeclareRoles,
    VoidGame,
    WaiveAgreement,
    awaited_seats,
)
from core.game.events import GameStep
from core.game.orders import ConfirmFromStation, Order, SeatGame, TerminalReport, VoidTable
from core.game.play.abandonment import Abandon
from core.game.setup import TableSeated
from core.game.state.game import Confirmation, GameState, Phase
from core.game.timeline import Timeline, extend
from core.terms import GameId, SeatNo
from kiosk.scenes.widgets.page_parts import HOLD_MS
from kiosk.ui.blocks import Target
from kiosk.ui.geometry import Rect, ScreenGeometry
from kiosk.ui.painter import REACH_PX
from kiosk.view.intents import AskGame, TryPin
from kiosk.view.table_view import Delivery
from sync.protocol.entry import content_of
from tests.kiosk.rig.virtual_table import PIN, VirtualTable

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
            if other.id in {target.id.replace("-turn", "-menu"), target.id.replace("character-", "ability-")}:
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


_LOT: Final = 256
_entries = msgspec.msgpack.Decoder(GameStep | TerminalReport)
_orders = msgspec.msgpack.Decoder(Order)


class Impossible(AssertionError):
    """Something that must never happen at a table."""


class Laid(msgspec.Struct, frozen=True):
    """A finger on the glass: since when, and on which target it landed, if on any."""

    at_ms: int
    target: str


class Watch:
    """Call ``look`` after everything that happens, ``restarted`` after a restart.

    confirmed, voided: results that were reached, each by a way that was checked.
    """

    def __init__(self, table: VirtualTable) -> None:
        self._table = table
        self._read = 0
        self._timeline: Timeline | None = None
        self._pins: set[GameId | None] = set()
        self._judge_was_here = False
        self._delivery = Delivery()
        self._seen: object = None
        self._agreeing: set[SeatNo] = set()
        self.laid: dict[int, Laid] = {}
        self.scenes: dict[str, int] = {}
        self.confirmed = 0
        self.voided = 0

    def look(self, *, key_was_on: bool) -> None:
        """Raises Impossible for whatever must not be. key_was_on: at some moment since the last look."""
        table = self._table
        view = table.view
        scene, targets = table.scene(), table.screen.targets()
        self.scenes[scene] = self.scenes.get(scene, 0) + 1
        if (scene, targets) != self._seen:
            self._seen = (scene, targets)
            _none(screen_faults(scene, targets, table.rigging.glass))
        _none(delivery_faults(self._delivery, view.delivery))
        self._delivery = view.delivery
        if view.game is not None:
            _none(game_faults(view.game))
        self._hear(key_was_on=key_was_on)
        self._read_journal()

    def restarted(self) -> None:
        """The terminal began anew: what it shows must be what the journal says."""
        self._read_journal()
        self._delivery = Delivery()
        self._judge_was_here = False
        self._agreeing.clear()
        self.laid.clear()
        game = self._table.view.game
        if self._timeline is not None and game != self._timeline.state:
            raise Impossible(f"after a restart the game is {game}, the journal says {self._timeline.state}")

    def _hear(self, *, key_was_on: bool) -> None:
        """Check the screen's requests: grave ones only from a hand that meant them."""
        game = self._table.view.game
        self._judge_was_here |= key_was_on
        intents, self._table.terminal.recorded = self._table.terminal.recorded, []
        for intent in intents:
            match intent:
                case TryPin(pin=pin) if pin == PIN:
                    self._judge_was_here = True
                    self._pins.add(None if game is None else game.game)
                case AskGame(command=AgreeEnding(seat=seat)):
                    self._agrees(seat)
                case AskGame(command=ConfirmSheet(how=Confirmation.KEY)) if not key_was_on:
                    raise Impossible("the key confirms and is not turned")
                case AskGame(command=command) if _is_grave(command) and not self._is_held():
                    raise Impossible(f"{command} without a finger that was held")
                case AskGame(command=command) if _is_the_judges(command) and not self._judge_was_here:
                    raise Impossible(f"{command}, and no judge was here")
                case _:
                    pass

    def _agrees(self, seat: SeatNo) -> None:
        if not any(laid.target.startswith(f"seat-{seat}-") for laid in self.laid.values()):
            raise Impossible(f"seat {seat} agrees by a finger elsewhere: {self.laid}")
        self._agreeing.add(seat)

    def _is_held(self) -> bool:
        """Return whether a finger lies, or lay until now, for as long as an irrevocable action requires."""
        return any(self._table.clock.now_ms - laid.at_ms >= HOLD_MS for laid in self.laid.values())

    def _read_journal(self) -> None:
        raws = self._table.journal.after(self._read, _LOT)
        for raw in raws:
            step = _entries.decode(content_of(raw).body)
            if isinstance(step, TerminalReport):
                continue  # about the terminal itself: locked, restarted, a message seen
            before = None if self._timeline is None else self._timeline.state
            self._timeline = extend(self._timeline, step)
            self._trace(step)
            self._trace_agreement(step, before)
        self._read += len(raws)

    def _trace(self, step: GameStep) -> None:
        """A result has come into the journal: how did it get there?"""
        order = None if step.order is None else _orders.decode(self._table.station.bodies[step.order - 1])
        for event in step.events:
            match event:
                case TableSeated():
                    # The judge may begin a game anew at the table.
                    if not (isinstance(order, SeatGame) or (order is None and self._judge_was_here)):
                        raise Impossible(f"a game was seated by {order}")
                case ConfirmSheet():
                    self._trace_confirmation(step.game, event.how, order)
                    self.confirmed += 1
                case VoidGame():
                    if order is not None and not isinstance(order, VoidTable | SeatGame):
                        raise Impossible(f"a game was voided by {order}")
                    if order is None and not self._judge_was_here:
                        raise Impossible("a game was voided and no judge was here")
                    self.voided += 1
                case _:
                    pass

    def _trace_agreement(self, step: GameStep, before: GameState | None) -> None:
        """Nobody agrees but by the own hand, and nobody goes on before all have."""
        missing = () if before is None else awaited_seats(before)
        for event in step.events:
            match event:
                case AgreeEnding(seat=seat) if seat not in self._agreeing:
                    raise Impossible(f"seat {seat} has agreed, and nobody touched its panel")
                case WaiveAgreement() if not self._judge_was_here:
                    raise Impossible("the judge went on without a player, and no judge was here")
                case DeclareRoles() if missing:
                    raise Impossible(f"roles are declared, and seats {missing} have not agreed")
                case ConfirmSheet() if missing and step.order is None:
                    raise Impossible(f"confirmed, and seats {missing} have not agreed")
                case _:
                    pass

    def _trace_confirmation(self, game: GameId, how: Confirmation, order: Order | None) -> None:
        match how:
            case Confirmation.STATION | Confirmation.CORRECTED:
                if not isinstance(order, ConfirmFromStation):
                    raise Impossible(f"confirmed from the station by {order}")
                return
            case Confirmation.PIN:
                if game not in self._pins:
                    raise Impossible("confirmed by a PIN that nobody typed")
            case Confirmation.KEY:
                pass
        if order is not None:
            raise Impossible(f"confirmed by hand at the order {order}")
        state = None if self._timeline is None else self._timeline.state
        if state is None or (state.duel is None and any(seat.role is None for seat in state.seats)):
            raise Impossible("confirmed before all roles were declared")


def _is_grave(command: GameCommand) -> bool:
    """Return whether a command can't be undone and requires a hold."""
    by_key = isinstance(command, ConfirmSheet) and command.how is Confirmation.KEY
    return by_key or isinstance(command, Abandon | EndByTimeLimit | VoidGame)


def _is_the_judges(command: GameCommand) -> bool:
    return isinstance(command, VoidGame | EndByTimeLimit) or (
        isinstance(command, Abandon) and command.ejected
    )


def _none(faults: Iterator[str]) -> None:
    problems = tuple(faults)
    if problems:
        raise Impossible("\n".join(problems))
