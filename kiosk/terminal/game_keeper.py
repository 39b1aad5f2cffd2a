"""Keeps the game of one table: what the journal holds, what hands ask, what the station orders.

Pure but for the value it holds: commands and orders go in, bodies for the journal come out.
"""

from typing import assert_never

import msgspec
import structlog

from saloon.base.errors import BadData, Refused
from saloon.core.editions import rules_of
from saloon.core.editions.edition import Edition
from saloon.core.game.commands import (
    Abandon,
    CheckIn,
    ConfirmSheet,
    EndByTimeLimit,
    GameCommand,
    SeatTable,
    VoidGame,
)
from saloon.core.game.decide import decide
from saloon.core.game.events import Confirmation, GameStep, StepOrigin, TableSeated
from saloon.core.game.reasons import GameReason
from saloon.core.game.state import GameState, Phase
from saloon.core.game.timeline import Timeline, extend, redoable, undoable
from saloon.core.orders import (
    AnswerCall,
    AssignTable,
    CallTime,
    CheckInSeat,
    CloseTournament,
    ConfirmFromStation,
    IdentifyTerminal,
    LockGlass,
    OfferSignIn,
    Order,
    PlaceInQueue,
    RelieveTable,
    RestartTerminal,
    SeatGame,
    SetClock,
    ShowMessage,
    TakeGame,
    VoidTable,
    WithdrawMessage,
    WithdrawSeat,
)
from saloon.core.terminal_report import TerminalFact, TerminalReport
from saloon.core.terms import GameId, TableNo
from saloon.kiosk.preferences import Spoken
from saloon.kiosk.terminal.clock.round_clock import GameClockState
from saloon.kiosk.terminal.station.orders_about_terminal import OrdersAboutTerminal
from saloon.kiosk.terminal.waiting_orders import OVER, WaitingOrders, copy_of, missing_steps

_log = structlog.get_logger()
_REPLACED = "another game was seated at this table"

_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)

_entries = msgspec.msgpack.Decoder(GameStep | TerminalReport)
_orders = msgspec.msgpack.Decoder(Order)
_encoder = msgspec.msgpack.Encoder()


class GameKeeper:
    """The table's game and the station's messages to the terminal.

    timeline: the steps of the game that is, or was last, at this table. orders_done: the number of
    the last order that was carried out. left_out: how many entries of the journal since the seating
    could not be read; the game may not be what the players saw. about_terminal: the orders that are not
    about a game.
    """

    def __init__(self) -> None:
        self.timeline: Timeline | None = None
        self.table: TableNo | None = None
        self.judge_pin = ""
        self.message = ""
        self.judge_coming = False
        self.calls_before: int | None = None
        self.time_limit_min: int | None = None
        self._clock_waits = False
        self._clock_order: tuple[SetClock, int] | None = None
        self.orders_done = 0
        self.left_out = 0
        self._relieved: GameId | None = None
        self._origins: list[StepOrigin | None] = []
        self._taking: tuple[GameId, int] | None = None
        self._waiting = WaitingOrders()
        self._sign_in: OfferSignIn | None = None
        self._spoken: list[Spoken] = []
        self.about_terminal = OrdersAboutTerminal()

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
        """The number of steps that may be taken back."""
        return undoable(self.timeline)

    @property
    def may_redo(self) -> int:
        """The number of steps that a redo enters again."""
        return redoable(self.timeline)

    @property
    def is_relieved(self) -> bool:
        """Return whether another terminal keeps this game now."""
        return self._relieved is not None and self._is_of(self._relieved)

    @property
    def sign_in_link(self) -> str:
        """The address where missing players of this game sign in by phone; empty for none."""
        offer, game = self._sign_in, self.playing
        if offer is None or game is None or (game.game, game.phase) != (offer.game, Phase.SEATING):
            return ""
        return offer.link

    def take_spoken(self) -> tuple[Spoken, ...]:
        """Return the languages that players have chosen by phone since the last call."""
        spoken, self._spoken = tuple(self._spoken), []
        return spoken

    @property
    def has_taken_over(self) -> bool:
        """Return whether the game was begun at another terminal and nothing was entered here since."""
        return bool(self._origins) and self._origins[-1] is not None

    @property
    def steps_to_come(self) -> int:
        """The number of steps of a game being taken over that have not arrived yet."""
        if self._taking is None or not self._is_of(self._taking[0]):
            return 0
        return max(0, self._taking[1] - len(self._origins))

    @property
    def clock(self) -> GameClockState:
        """Return the game's knowledge of the round's clock."""
        game = self.game
        if game is None or game.phase in OVER:
            return GameClockState(None if game is None else game.game)
        order, number = self._clock_order or (None, 0)
        is_ours = order is not None and order.game == game.game
        limit_s = None if self.time_limit_min is None else self.time_limit_min * 60
        return GameClockState(
            game.game,
            # A limit may be set, or changed, while the game is played.
            order.limit_s if order is not None and is_ours else limit_s,
            waits=self._clock_waits,
            told=game.clock,
            order=order if is_ours else None,
            order_no=number if is_ours else 0,
            has_moved=self.has_taken_over,
        )

    def resume(self, own: tuple[bytes, ...], orders: tuple[bytes, ...]) -> tuple[bytes, ...]:
        """Take up what the journal held; bodies to append for orders that were not carried out yet.

        A step that cannot be read is logged and left out; it stays in the journal.
        """
        for number, body in enumerate(own, 1):
            try:
                step = _entries.decode(body)
                # The entry knows which orders came before it; they are over, whatever became of them.
                for order in orders[self.orders_done : step.orders_done]:
                    self._note_again(self.orders_done + 1, order)
                if isinstance(step, TerminalReport):
                    self.about_terminal.follow(step.fact)
                    continue
                for waited, kept in self._waiting.of(step.game):
                    self._note(kept, waited)
                self._follow(step)
                if isinstance(step.events[0], TableSeated):
                    self._waiting.on_seated(step.game)
            except (*_UNREADABLE, BadData) as error:
                self.left_out += 1
                _log.error("a step of the journal cannot be followed", entry=number, problem=str(error))
        due: list[bytes] = []
        for number, body in enumerate(orders, 1):
            due.extend(self.carry_out(number, body))
        due.extend(self.carry_out_waiting())
        return tuple(due)

    def ask(self, command: GameCommand) -> bytes:
        """Carry a command of the table out; the body to append. Raises Refused."""
        if self.is_relieved:
            raise Refused(GameReason.RELIEVED)
        if self.steps_to_come:
            raise Refused(GameReason.BEING_TAKEN_OVER)
        return self._step_of(command, None)

    def report(self, fact: TerminalFact) -> bytes:
        """Report a fact about the terminal itself; the body to append."""
        self.about_terminal.follow(fact)
        return _encoder.encode(TerminalReport(fact, self.orders_done))

    def carry_out(self, number: int, body: bytes) -> tuple[bytes, ...]:
        """Carry an order out, once; the bodies to append. What a rule forbids is logged and left."""
        if number <= self.orders_done:
            return ()
        order = self._decode(number, body)
        if order is None or self._waiting.keep(number, order, self.playing):
            return ()
        return (*self._carry_out(order, number), *self.carry_out_waiting())

    def carry_out_waiting(self) -> tuple[bytes, ...]:
        """Carry out the orders that waited for the game before, if it is over; the bodies to append."""
        bodies: list[bytes] = []
        for number, order in self._waiting.take_all():
            if not self._waiting.keep(number, order, self.playing):
                bodies.extend(self._carry_out(order, number))
        return tuple(bodies)

    @property
    def playing(self) -> GameState | None:
        """The game that runs at this table."""
        return None if self.game is None or self.game.phase in OVER or self.is_relieved else self.game

    @property
    def _is_voided(self) -> bool:
        """Return whether the table's game is void: a draw that is published again seats it again."""
        return self.game is not None and self.game.phase is Phase.VOIDED

    def _carry_out(self, order: Order, number: int) -> tuple[bytes, ...]:
        self._note(order, number)
        try:
            return self._execute(order, number)
        except (Refused, BadData) as error:
            # The sentence of a refusal may name a role that is secret at the table.
            why = error.reason.name if isinstance(error, Refused) else str(error)
            _log.warning("an order could not be carried out", order=number, problem=why)
            return ()

    def _note_again(self, number: int, body: bytes) -> None:
        """Note an order that was carried out, or began to wait, before the restart."""
        for waited, kept in self._waiting.take_all():
            if not self._waiting.keep(waited, kept, self.playing):
                self._note(kept, waited)
        order = self._decode(number, body)
        if order is not None and not self._waiting.keep(number, order, self.playing):
            self._note(order, number)

    def _decode(self, number: int, body: bytes) -> Order | None:
        """Return the next order; None for one that cannot be read."""
        self.orders_done = number
        try:
            order: Order = _orders.decode(body)
        except _UNREADABLE as error:
            _log.error("an order cannot be read", order=number, problem=str(error))
            return None
        return order

    def _note(self, order: Order, number: int) -> None:
        """Remember what an order means for the terminal itself."""
        match order:
            case AssignTable():
                self.table, self.judge_pin = order.table, order.judge_pin
            case CloseTournament():
                self.message = order.message
            case SeatGame() | TakeGame(first=0):
                self._note_game(order)
            case SetClock():
                self._clock_order = order, number
            case RelieveTable():
                self._relieved = order.game
            case AnswerCall() | PlaceInQueue():
                self._note_call(order)
            case OfferSignIn():
                self._sign_in = order
            case ShowMessage() | WithdrawMessage() | LockGlass() | RestartTerminal() | IdentifyTerminal():
                self.about_terminal.note(order, None if self.game is None else self.game.game)
            case (
                TakeGame() | WithdrawSeat() | CheckInSeat() | CallTime() | ConfirmFromStation() | VoidTable()
            ):
                pass
            case _:
                assert_never(order)

    def _note_call(self, order: AnswerCall | PlaceInQueue) -> None:
        if self.game is None or not self._is_of(order.game) or not self.game.judge_called:
            return
        self.judge_coming = isinstance(order, AnswerCall)
        if isinstance(order, PlaceInQueue):
            # Also when the judge who was coming cannot come after all: the table waits again.
            self.calls_before = order.before

    def _note_game(self, order: SeatGame | TakeGame) -> None:
        self.message = ""
        self.time_limit_min = order.time_limit_min
        if isinstance(order, SeatGame):
            game, self._taking = order.seating.game, None
            self._clock_waits = order.clock_waits
        else:
            game, self._taking = order.game, (order.game, order.total)
        if self._relieved == game:
            self._relieved = None

    def _execute(self, order: Order, number: int) -> tuple[bytes, ...]:
        match order:
            case SeatGame():
                return self._seat(order, number)
            case TakeGame():
                return self._take(order, number)
            case WithdrawSeat() | CallTime() | ConfirmFromStation() | VoidTable():
                is_ours = self._is_of(order.game) and not self.is_relieved
                return (self._step_of(_command_of(order), number),) if is_ours else ()
            case CheckInSeat():
                return self._check_in(order, number)
            case ShowMessage() | WithdrawMessage() | LockGlass() | RestartTerminal() | IdentifyTerminal():
                fact = self.about_terminal.obey(order)
                return () if fact is None else (self.report(fact),)
            case (
                AssignTable()
                | CloseTournament()
                | AnswerCall()
                | PlaceInQueue()
                | RelieveTable()
                | SetClock()
                | OfferSignIn()
            ):
                return ()
            case _:
                assert_never(order)

    def _seat(self, order: SeatGame, number: int) -> tuple[bytes, ...]:
        if self._is_of(order.seating.game) and not self._is_voided:
            return ()
        bodies = self._clear_unfinished_game(number)
        bodies.append(self._step_of(order.seating, number))
        return tuple(bodies)

    def _check_in(self, order: CheckInSeat, number: int) -> tuple[bytes, ...]:
        """Check a player in, and note the chosen language, unless a touch was faster."""
        game = self.game
        if game is None or not self._is_of(order.game) or self.is_relieved or self.steps_to_come:
            return ()
        body = self._step_of(CheckIn(order.seat), number)
        if order.language:
            self._spoken.append(Spoken(game.tournament, game.seats[order.seat - 1].player, order.language))
        return (body,)

    def _take(self, order: TakeGame, number: int) -> tuple[bytes, ...]:
        """Copy the steps that are missing here; only the last of them completes the order."""
        is_ours = self._is_of(order.game)
        missing = missing_steps(order, self.timeline if is_ours else None, self._origins if is_ours else ())
        if not missing or (is_ours and self.is_relieved):
            return ()
        bodies = [] if is_ours else self._clear_unfinished_game(number)
        for told in missing:
            is_last = told is missing[-1]
            # One that waited: the orders since then were noted before it.
            done = max(number, self.orders_done) if is_last or self.orders_done > number else number - 1
            step = copy_of(told, number, done)
            self._follow(step)
            bodies.append(_encoder.encode(step))
        return tuple(bodies)

    def _clear_unfinished_game(self, number: int) -> list[bytes]:
        """Return the step that voids an unfinished game which is in the way, if there is one.

        Power may go between this step and the next: only the next completes the order.
        """
        if self.playing is None:
            return []
        self.orders_done = number - 1
        body = self._step_of(VoidGame(_REPLACED), number)
        self.orders_done = number
        return [body]

    def _is_of(self, game: GameId) -> bool:
        return self.game is not None and self.game.game == game

    def _step_of(self, command: GameCommand, order: int | None) -> bytes:
        rules = rules_of(command.rules) if isinstance(command, SeatTable) else self.edition
        if rules is None:
            raise BadData("command", "no game is seated at this table")
        game = command.game if isinstance(command, SeatTable) else self._game_id()
        # A game that another terminal keeps is not in the way of the next one.
        before = None if isinstance(command, SeatTable) and self.is_relieved else self.game
        events = decide(before, command, rules, may_undo=self.may_undo, may_redo=self.may_redo)
        step = GameStep(game, events, order, self.orders_done)
        self._follow(step)
        return _encoder.encode(step)

    def _game_id(self) -> GameId:
        assert self.game is not None  # asked only with a game
        return self.game.game

    def _follow(self, step: GameStep) -> None:
        self.timeline = extend(self.timeline, step)
        if isinstance(step.events[0], TableSeated):
            self.left_out = 0
            self._origins.clear()
            self.about_terminal.on_seated(step.game)
        self._origins.append(step.origin if isinstance(step.origin, StepOrigin) else None)
        if self.game is not None and not self.game.judge_called:
            self.judge_coming, self.calls_before = False, None


def _command_of(order: WithdrawSeat | CallTime | ConfirmFromStation | VoidTable) -> GameCommand:
    match order:
        case WithdrawSeat():
            return Abandon(order.seat, order.ejected)
        case CallTime():
            return EndByTimeLimit(order.how, order.ending, order.reason)
        case ConfirmFromStation():
            return ConfirmSheet(Confirmation.CORRECTED if order.is_corrected else Confirmation.STATION)
        case VoidTable():
            return VoidGame(order.reason)
        case _:
            assert_never(order)
