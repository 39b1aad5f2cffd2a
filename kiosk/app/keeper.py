"""Keeps the game of one table: what the journal holds, what hands ask, what the station orders.

Pure but for the value it holds: commands and orders go in, bodies for the journal come out.
"""

from typing import assert_never

import msgspec
import structlog

from saloon.core.editions import rules_of
from saloon.core.editions.edition import Edition
from saloon.core.errors import BadData, Refused
from saloon.core.game.commands import (
    Abandon,
    ConfirmSheet,
    EndByTimeLimit,
    GameCommand,
    SeatTable,
    VoidGame,
)
from saloon.core.game.decide import decide
from saloon.core.game.events import Confirmation, GameStep, TableSeated
from saloon.core.game.state import GameState, Phase
from saloon.core.game.timeline import Timeline, extended, undoable
from saloon.core.orders import (
    AnswerCall,
    AssignTable,
    CallTime,
    CloseTournament,
    ConfirmFromStation,
    Order,
    SeatGame,
    VoidTable,
    WithdrawSeat,
)
from saloon.core.terms import GameId, TableNo

_log = structlog.get_logger()
_OVER = frozenset({Phase.CONFIRMED, Phase.VOIDED})
_REPLACED = "another game was seated at this table"

_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)

_steps = msgspec.msgpack.Decoder(GameStep)
_orders = msgspec.msgpack.Decoder(Order)
_encoder = msgspec.msgpack.Encoder()


class Keeper:
    """The table's game and what the station told the terminal.

    timeline: the steps of the game that is, or was last, at this table. orders_done: the number of
    the last order that was carried out. left_out: how many entries of the journal since the seating
    could not be read; the game may not be what the players saw.
    """

    def __init__(self) -> None:
        self.timeline: Timeline | None = None
        self.table: TableNo | None = None
        self.judge_pin = ""
        self.message = ""
        self.judge_coming = False
        self.time_limit_min: int | None = None
        self.orders_done = 0
        self.left_out = 0

    @property
    def game(self) -> GameState | None:
        """The game now; None before the first."""
        return self.timeline.state if self.timeline is not None else None

    @property
    def edition(self) -> Edition | None:
        """The edition that the game is played by."""
        return rules_of(self.game.rules) if self.game is not None else None

    @property
    def may_undo(self) -> int:
        """How many steps may be taken back."""
        return undoable(self.timeline)

    def resume(self, own: tuple[bytes, ...], orders: tuple[bytes, ...]) -> tuple[bytes, ...]:
        """Take up what the journal held; bodies to append for orders that were not carried out yet.

        A step that cannot be read is logged and left out; it stays in the journal.
        """
        for number, body in enumerate(own, 1):
            try:
                step = _steps.decode(body)
                # The step knows which orders came before it; they are over, whatever became of them.
                for order in orders[self.orders_done : step.orders_done]:
                    self._note(self.orders_done + 1, order)
                self._follow(step)
            except (*_UNREADABLE, BadData) as error:
                self.left_out += 1
                _log.error("a step of the journal cannot be followed", entry=number, problem=str(error))
        due: list[bytes] = []
        for number, body in enumerate(orders, 1):
            due.extend(self.carry_out(number, body))
        return tuple(due)

    def ask(self, command: GameCommand) -> bytes:
        """Carry a command of the table out; the body to append. Raises Refused."""
        return self._done(command, None)

    def carry_out(self, number: int, body: bytes) -> tuple[bytes, ...]:
        """Carry an order out, once; the bodies to append. What a rule forbids is logged and left."""
        if number <= self.orders_done:
            return ()
        order = self._note(number, body)
        try:
            return self._obeyed(order, number) if order is not None else ()
        except (Refused, BadData) as error:
            _log.warning("an order could not be carried out", order=number, problem=str(error))
            return ()

    def _note(self, number: int, body: bytes) -> Order | None:
        """What an order tells the terminal itself; None for one that cannot be read."""
        self.orders_done = number
        try:
            order: Order = _orders.decode(body)
        except _UNREADABLE as error:
            _log.error("an order cannot be read", order=number, problem=str(error))
            return None
        match order:
            case AssignTable():
                self.table, self.judge_pin = order.table, order.judge_pin
            case CloseTournament():
                self.message = order.message
            case SeatGame():
                self.message = ""
                self.time_limit_min = order.time_limit_min
            case AnswerCall():
                if self.game is not None and self._is_of(order.game) and self.game.judge_called:
                    self.judge_coming = True
            case WithdrawSeat() | CallTime() | ConfirmFromStation() | VoidTable():
                pass
            case _:
                assert_never(order)
        return order

    def _obeyed(self, order: Order, number: int) -> tuple[bytes, ...]:
        match order:
            case SeatGame():
                return self._seat(order, number)
            case WithdrawSeat() | CallTime() | ConfirmFromStation() | VoidTable():
                return (self._done(_command_of(order), number),) if self._is_of(order.game) else ()
            case AssignTable() | CloseTournament() | AnswerCall():
                return ()
            case _:
                assert_never(order)

    def _seat(self, order: SeatGame, number: int) -> tuple[bytes, ...]:
        if self._is_of(order.seating.game):
            return ()
        bodies = []
        if self.game is not None and self.game.phase not in _OVER:
            # Power may go between the two steps: only the second completes the order.
            self.orders_done = number - 1
            bodies.append(self._done(VoidGame(_REPLACED), number))
            self.orders_done = number
        bodies.append(self._done(order.seating, number))
        return tuple(bodies)

    def _is_of(self, game: GameId) -> bool:
        return self.game is not None and self.game.game == game

    def _done(self, command: GameCommand, order: int | None) -> bytes:
        rules = rules_of(command.rules) if isinstance(command, SeatTable) else self.edition
        if rules is None:
            raise BadData("command", "no game is seated at this table")
        game = command.game if isinstance(command, SeatTable) else self._game_id()
        events = decide(self.game, command, rules, may_undo=self.may_undo)
        step = GameStep(game, events, order, self.orders_done)
        self._follow(step)
        return _encoder.encode(step)

    def _game_id(self) -> GameId:
        assert self.game is not None  # asked only with a game
        return self.game.game

    def _follow(self, step: GameStep) -> None:
        self.timeline = extended(self.timeline, step)
        if isinstance(step.events[0], TableSeated):
            self.left_out = 0
        if self.game is not None and not self.game.judge_called:
            self.judge_coming = False


def _command_of(order: WithdrawSeat | CallTime | ConfirmFromStation | VoidTable) -> GameCommand:
    match order:
        case WithdrawSeat():
            return Abandon(order.seat, order.ejected)
        case CallTime():
            return EndByTimeLimit(order.how, order.ending, order.reason)
        case ConfirmFromStation():
            return ConfirmSheet(Confirmation.STATION)
        case VoidTable():
            return VoidGame(order.reason)
        case _:
            assert_never(order)
