"""The keeper of one table's game: it applies commands and orders and returns entries for the journal.

It does no I/O.
"""

from typing import assert_never

import msgspec
import structlog

from base.errors import BadData, Refused
from core.editions.edition import Edition
from core.editions.loader import rules_of
from core.game.clock import EndByTimeLimit
from core.game.decide import GameCommand, decide
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge
from core.game.ending.sheet import ConfirmSheet, VoidGame
from core.game.events import GameStep, StepOrigin
from core.game.orders import (
    AnswerCall,
    AssignTable,
    CallTime,
    CheckInSeat,
    CloseTournament,
    ConfirmFromStation,
    EndCall,
    OfferSignIn,
    Order,
    OrderAboutTerminal,
    PlaceInQueue,
    RelieveTable,
    SeatGame,
    SetClock,
    TakeGame,
    TerminalFact,
    TerminalReport,
    VoidTable,
    WithdrawSeat,
)
from core.game.play.abandonment import Abandon
from core.game.setup import CheckIn, SeatTable, TableSeated
from core.game.state.game import Confirmation, GameState, Phase
from core.game.state.reasons import GameReason
from core.game.timeline import Timeline, extend, redoable, undoable
from core.terms import GameId, TableNo
from kiosk.preferences import Spoken
from kiosk.terminal.orders_about_games import OVER, WaitingOrders, copy_of, missing_steps
from kiosk.terminal.orders_about_terminal import OrdersAboutTerminal
from kiosk.terminal.round_clock import GameClockState

_log = structlog.get_logger()
_REPLACED = "another game was seated at this table"
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_entries = msgspec.msgpack.Decoder(GameStep | TerminalReport)
_orders = msgspec.msgpack.Decoder(Order)
_encoder = msgspec.msgpack.Encoder()


class GameKeeper:
    """The table's game, and the station's orders to the terminal.

    left_out: how many journal entries since the seating couldn't be read, so that the game may differ from
        what players saw.
    about_terminal: orders that aren't about a game.
    """

    def __init__(self) -> None:
        self.timeline: Timeline | None = None
        self.table: TableNo | None = None
        self.judge_pin = ""
        self.message = ""
        self.judge_coming = False
        self.calls_before: int | None = None
        self.calls_elsewhere: tuple[TableNo, ...] = ()
        self.time_limit_min: int | None = None
        self._clock_waits = False
        self._clock_order: tuple[SetClock, int] | None = None
        self.orders_done = 0
        self.left_out = 0
        self._relieved: GameId | None = None
        self._origins: list[StepOrigin | None] = []
        self._calls = 0
        self._taking: tuple[GameId, int] | None = None
        self._waiting = WaitingOrders()
        self._sign_in: OfferSignIn | None = None
        self._spoken: list[Spoken] = []
        self.about_terminal = OrdersAboutTerminal()

    @property
    def game(self) -> GameState | None:
        return self.timeline.state if self.timeline is not None else None

    @property
    def edition(self) -> Edition | None:
        return rules_of(self.game.rules) if self.game is not None else None

    @property
    def is_relieved(self) -> bool:
        return self._relieved is not None and self._is_of(self._relieved)

    @property
    def sign_in_link(self) -> str:
        """The link by which missing players sign in by phone, or empty if there is none."""
        offer, game = self._sign_in, self.playing
        if offer is None or game is None or (game.game, game.phase) != (offer.game, Phase.SEATING):
            return ""
        return offer.link

    def take_spoken(self) -> tuple[Spoken, ...]:
        """Return the languages that players have chosen by phone since the previous call."""
        spoken, self._spoken = tuple(self._spoken), []
        return spoken

    @property
    def steps_to_come(self) -> int:
        """The number of steps of a game being taken over that haven't arrived yet."""
        if self._taking is None or not self._is_of(self._taking[0]):
            return 0
        return max(0, self._taking[1] - len(self._origins))

    @property
    def clock(self) -> GameClockState:
        """Return the facts about the round's clock in the game's log."""
        game = self.game
        if game is None or game.phase in OVER:
            return GameClockState(None if game is None else game.game)
        order, number = self._clock_order or (None, 0)
        is_ours = order is not None and order.game == game.game
        limit_s = None if self.time_limit_min is None else self.time_limit_min * 60
        return GameClockState(
            game.game,
            # A limit may be set or changed during the game.
            order.limit_s if order is not None and is_ours else limit_s,
            waits=self._clock_waits,
            recorded=game.clock,
            order=order if is_ours else None,
            order_no=number if is_ours else 0,
            # It began at another terminal, and nothing has been entered here yet.
            has_moved=bool(self._origins) and self._origins[-1] is not None,
        )

    def resume(self, own: tuple[bytes, ...], orders: tuple[bytes, ...]) -> tuple[bytes, ...]:
        """Restore the state from the journal; return entries to append for orders not carried out yet.

        An unreadable step is logged and skipped; it stays in the journal.
        """
        for number, body in enumerate(own, 1):
            try:
                step = _entries.decode(body)
                # The entry includes the number of the last order before it, so those are done.
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
                _log.error("cannot apply a step of the journal", entry=number, problem=str(error))
        due: list[bytes] = []
        for number, body in enumerate(orders, 1):
            due.extend(self.carry_out(number, body))
        due.extend(self.carry_out_waiting())
        return tuple(due)

    def ask(self, command: GameCommand) -> bytes:
        """Apply a command from the table, and return the entry to append. Raises Refused."""
        if self.is_relieved:
            raise Refused(GameReason.RELIEVED)
        if self.steps_to_come:
            raise Refused(GameReason.BEING_TAKEN_OVER)
        return self._step_of(command, None)

    def report(self, fact: TerminalFact) -> bytes:
        self.about_terminal.follow(fact)
        return _encoder.encode(TerminalReport(fact, self.orders_done))

    def carry_out(self, number: int, body: bytes) -> tuple[bytes, ...]:
        """Carry out an order once, and return the entries to append; a refused one is only logged."""
        if number <= self.orders_done:
            return ()
        order = self._decode(number, body)
        if order is None or self._waiting.keep(number, order, self.playing):
            return ()
        return (*self._carry_out(order, number), *self.carry_out_waiting())

    def carry_out_waiting(self) -> tuple[bytes, ...]:
        """Carry out orders that waited for the previous game, if it is over; return the entries to append."""
        bodies: list[bytes] = []
        for number, order in self._waiting.take_all():
            if not self._waiting.keep(number, order, self.playing):
                bodies.extend(self._carry_out(order, number))
        return tuple(bodies)

    @property
    def playing(self) -> GameState | None:
        return None if self.game is None or self.game.phase in OVER or self.is_relieved else self.game

    def _carry_out(self, order: Order, number: int) -> tuple[bytes, ...]:
        self._note(order, number)
        try:
            return self._execute(order, number)
        except (Refused, BadData) as error:
            # Don't log the refusal's text, as it may name a secret role.
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
        self.orders_done = number
        try:
            order: Order = _orders.decode(body)
        except _UNREADABLE as error:
            _log.error("an order cannot be read", order=number, problem=str(error))
            return None
        return order

    def _note(self, order: Order, number: int) -> None:
        if isinstance(order, OrderAboutTerminal):
            self.about_terminal.note(order, None if self.game is None else self.game.game)
            return
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
            case (
                TakeGame()
                | WithdrawSeat()
                | CheckInSeat()
                | EndCall()
                | CallTime()
                | ConfirmFromStation()
                | VoidTable()
            ):
                pass
            case _:
                assert_never(order)

    def _note_call(self, order: AnswerCall | PlaceInQueue) -> None:
        if self.game is None or not self._is_of(order.game) or not self.game.judge_called:
            return
        self.judge_coming, self.calls_elsewhere = isinstance(order, AnswerCall), order.others
        if isinstance(order, PlaceInQueue):
            # Also if the judge who had answered can't come: the table waits again.
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
        if isinstance(order, OrderAboutTerminal):
            fact = self.about_terminal.obey(order)
            return () if fact is None else (self.report(fact),)
        match order:
            case SeatGame():
                return self._seat(order, number)
            case TakeGame():
                return self._take(order, number)
            case EndCall() if order.call != self._calls:
                return ()
            case WithdrawSeat() | EndCall() | CallTime() | ConfirmFromStation() | VoidTable():
                is_ours = self._is_of(order.game) and not self.is_relieved
                return (self._step_of(_command_of(order), number),) if is_ours else ()
            case CheckInSeat():
                return self._check_in(order, number)
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
        if self.game is not None and self._is_of(order.seating.game) and self.game.phase is not Phase.VOIDED:
            return ()
        bodies = self._clear_unfinished_game(number)
        bodies.append(self._step_of(order.seating, number))
        return tuple(bodies)

    def _check_in(self, order: CheckInSeat, number: int) -> tuple[bytes, ...]:
        """Check a player in by phone, with the chosen language, unless they have done so by touch."""
        game = self.game
        if game is None or not self._is_of(order.game) or self.is_relieved or self.steps_to_come:
            return ()
        body = self._step_of(CheckIn(order.seat), number)
        if order.language:
            self._spoken.append(Spoken(game.tournament, game.seats[order.seat - 1].player, order.language))
        return (body,)

    def _take(self, order: TakeGame, number: int) -> tuple[bytes, ...]:
        """Copy missing steps of another terminal's game; the last one completes the order."""
        is_ours = self._is_of(order.game)
        missing = missing_steps(order, self.timeline if is_ours else None, self._origins if is_ours else ())
        if not missing or (is_ours and self.is_relieved):
            return ()
        bodies = [] if is_ours else self._clear_unfinished_game(number)
        for original in missing:
            is_last = original is missing[-1]
            # The order had waited, so later orders are noted already.
            done = max(number, self.orders_done) if is_last or self.orders_done > number else number - 1
            step = copy_of(original, number, done)
            self._follow(step)
            bodies.append(_encoder.encode(step))
        return tuple(bodies)

    def _clear_unfinished_game(self, number: int) -> list[bytes]:
        """Return the step that voids an unfinished game in the way of a new one, if there is one.

        If power fails after it, the order is carried out again, as only the next step completes it.
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
        before = self.game
        if isinstance(command, SeatTable):
            game, rules = command.game, rules_of(command.rules)
            # A game taken over by another terminal isn't in the way.
            before = None if self.is_relieved else before
        elif before is None:
            raise BadData("command", "no game is seated at this table")
        else:
            game, rules = before.game, rules_of(before.rules)
        may_undo, may_redo = undoable(self.timeline), redoable(self.timeline)
        events = decide(before, command, rules, may_undo=may_undo, may_redo=may_redo)
        step = GameStep(game, events, order, self.orders_done)
        self._follow(step)
        return _encoder.encode(step)

    def _follow(self, step: GameStep) -> None:
        self.timeline = extend(self.timeline, step)
        if isinstance(step.events[0], TableSeated):
            self.left_out = self._calls = 0
            self._origins.clear()
            self.about_terminal.on_seated(step.game)
        self._calls += sum(isinstance(event, CallJudge) for event in step.events)
        self._origins.append(step.origin if isinstance(step.origin, StepOrigin) else None)
        if self.game is not None and not self.game.judge_called:
            self.judge_coming, self.calls_before, self.calls_elsewhere = False, None, ()


def _command_of(order: WithdrawSeat | EndCall | CallTime | ConfirmFromStation | VoidTable) -> GameCommand:
    match order:
        case WithdrawSeat():
            return Abandon(order.seat, order.ejected)
        case EndCall():
            return AnswerJudgeCall()
        case CallTime():
            return EndByTimeLimit(order.how, order.ending, order.reason)
        case ConfirmFromStation():
            return ConfirmSheet(Confirmation.CORRECTED if order.is_corrected else Confirmation.STATION)
        case VoidTable():
            return VoidGame(order.reason)
        case _:
            assert_never(order)
