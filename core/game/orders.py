"""Orders from a station to a table's terminal, and the terminal's reports about itself.

Both are entries of journals. A terminal carries out each order once, in sequence, and puts the order's number
into the resulting step (``GameStep.order``). A report belongs to no game: it answers an order about the
terminal, or says that something happened to the terminal.
"""

import enum

import msgspec

from core.editions.readings import TimeLimit
from core.game.events import GameStep
from core.game.setup import SeatTable, TableSeated
from core.game.takeover import StepWithOrigin
from core.terms import Ending, GameId, MessageId, SeatNo, Seconds, TableNo, TournamentId


class _Order(msgspec.Struct, frozen=True, tag=True, tag_field="body"):
    pass


class AssignTable(_Order, frozen=True, tag="assign-table"):
    """Assign this terminal to a table. ``judge_pin`` is the argon2 hash of the PIN for the judge's menu."""

    table: TableNo
    judge_pin: str


class SeatGame(_Order, frozen=True, tag="seat-game"):
    """Seat the players of a published table.

    time_limit_min: the round's limit, or None if it has none.
    clock_waits: whether the round's clock has not been started yet.
    """

    seating: SeatTable
    time_limit_min: int | None = None
    clock_waits: bool = False


class TakeGame(_Order, frozen=True, tag="take-game"):
    """Take over a game from another terminal, whose steps arrive in one or several orders.

    first: index of the first step in this order.
    total: number of steps in all orders of the takeover.
    time_limit_min: the round's limit, or None if it has none.
    reason: the judge's reason for choosing this log, if there were two.
    """

    game: GameId
    first: int
    total: int
    steps: tuple[StepWithOrigin, ...]
    time_limit_min: int | None = None
    reason: str = ""


class RelieveTable(_Order, frozen=True, tag="relieve-table"):
    """Stop running a game, which another terminal takes over."""

    game: GameId


class WithdrawSeat(_Order, frozen=True, tag="withdraw-seat"):
    """Record that a player leaves the tournament or is ejected in the middle of a game."""

    game: GameId
    seat: SeatNo
    ejected: bool


class OfferSignIn(_Order, frozen=True, tag="offer-sign-in"):
    """Offer check-in by phone. ``link`` is the address of the players' page, or empty to end the offer."""

    game: GameId
    link: str


class CheckInSeat(_Order, frozen=True, tag="check-in-seat"):
    """Check in a player who did so by phone.

    language: the gettext code that they chose for their panel, or empty.
    """

    game: GameId
    seat: SeatNo
    language: str = ""


class AnswerCall(_Order, frozen=True, tag="answer-call", omit_defaults=True):
    """Show that the judge is on the way. ``others`` are as for ``PlaceInQueue``."""

    game: GameId
    others: tuple[TableNo, ...] = ()


class PlaceInQueue(_Order, frozen=True, tag="place-in-queue", omit_defaults=True):
    """Show a table's place among those waiting for the judge.

    call: number of the table's call, from 1.
    before: number of tables that called earlier and are still waiting.
    others: the first other tables waiting in this tournament, in order, for a judge who goes on to the next.
    """

    game: GameId
    call: int
    before: int
    others: tuple[TableNo, ...] = ()


class EndCall(_Order, frozen=True, tag="end-call"):
    """End a call that a judge has closed at the station, unless the table has ended it or calls again.

    call: number of the table's call, from 1.
    """

    game: GameId
    call: int


class CallTime(_Order, frozen=True, tag="call-time"):
    """End the game at the time limit.

    how: None for the edition's reading (D09).
    ending, reason: the judge's ruling, if any.
    """

    game: GameId
    how: TimeLimit | None = None
    ending: Ending | None = None
    reason: str = ""


class SetClock(_Order, frozen=True, tag="set-clock", omit_defaults=True):
    """Set the round's clock at a table, to which the terminal adds extensions and pauses entered there.

    change: number of changes to this table's clock so far.
    left_s: time left when the order was written, negative after the end.
    held: whether the station has stopped the clock.
    extended_s: time added by the station.
    answers: how many of the terminal's questions about the time left have been answered.
    ends_pause: number of the pause at the table that the station has ended, or 0.
    """

    game: GameId
    change: int
    limit_s: Seconds
    left_s: Seconds
    started: bool = True
    held: bool = False
    extended_s: Seconds = Seconds(0)
    answers: int = 0
    ends_pause: int = 0


class ConfirmFromStation(_Order, frozen=True, tag="confirm-from-station", omit_defaults=True):
    """Show that the judge confirmed this table's record sheet at the station.

    is_corrected: whether the table recorded another result, or none.
    """

    game: GameId
    is_corrected: bool = False


class VoidTable(_Order, frozen=True, tag="void-table"):
    """Void the game at this table because its draw was undone."""

    game: GameId
    reason: str


class CloseTournament(_Order, frozen=True, tag="close-tournament"):
    """Show on the waiting screen that the tournament is over."""

    message: str


class ShowMessage(_Order, frozen=True, tag="show-message", omit_defaults=True):
    """Show a judge's message on top of everything until somebody at the table confirms it.

    by: the judge's name.
    game: the game during which it may be shown, or None if there was none.
    lasts_s: the longest time for which it may be shown, or 0 for no limit.
    """

    message: MessageId
    text: str
    by: str
    game: GameId | None = None
    lasts_s: Seconds = Seconds(0)


class WithdrawMessage(_Order, frozen=True, tag="withdraw-message"):
    """Remove a message that a judge has withdrawn or that has expired."""

    message: MessageId


class LockGlass(_Order, frozen=True, tag="lock-glass"):
    """Lock or unlock a terminal's touchscreen and buttons, except the judge call. ``by`` names the judge."""

    is_locked: bool
    by: str


class RestartTerminal(_Order, frozen=True, tag="restart-terminal"):
    """Restart the terminal's program once everything is saved and nobody touches the screen."""


class IdentifyTerminal(_Order, frozen=True, tag="identify-terminal"):
    """Make the terminal blink, beep and show its table in large type, or ``name`` if it has no table."""

    name: str


OrderAboutTerminal = ShowMessage | WithdrawMessage | LockGlass | RestartTerminal | IdentifyTerminal
"""An order about the terminal itself, which answers with a ``TerminalReport``."""

Order = (
    AssignTable
    | SeatGame
    | TakeGame
    | RelieveTable
    | WithdrawSeat
    | OfferSignIn
    | CheckInSeat
    | AnswerCall
    | PlaceInQueue
    | EndCall
    | CallTime
    | SetClock
    | ConfirmFromStation
    | VoidTable
    | CloseTournament
    | OrderAboutTerminal
)


def tournament_of(order: Order) -> TournamentId | None:
    """Return the tournament of the game that an order starts, or None if it starts none."""
    match order:
        case SeatGame():
            return order.seating.tournament
        case TakeGame(steps=(StepWithOrigin(step=GameStep(events=(TableSeated() as seated, *_))), *_)):
            return seated.tournament
        case _:
            return None


class _Fact(msgspec.Struct, frozen=True, tag=True, tag_field="fact"):
    pass


class MessageShown(_Fact, frozen=True, tag="message-shown"):
    """A message arrived, and will be shown after any earlier ones."""

    message: MessageId


class MessageConfirmed(_Fact, frozen=True, tag="message-confirmed"):
    """Somebody at the table confirmed a message."""

    message: MessageId


class MessageExpired(_Fact, frozen=True, tag="message-expired"):
    """A message was not confirmed in time and is no longer shown."""

    message: MessageId


class GlassLocked(_Fact, frozen=True, tag="glass-locked"):
    """The station locked the touchscreen."""


class GlassUnlocked(_Fact, frozen=True, tag="glass-unlocked"):
    """The touchscreen was unlocked: by a judge at the table, or by the station."""

    is_at_table: bool = False


class TerminalRestarting(_Fact, frozen=True, tag="terminal-restarting"):
    """The program is about to restart on the station's order."""


class TerminalIdentified(_Fact, frozen=True, tag="terminal-identified"):
    """The terminal identified itself."""


class Power(enum.Enum):
    """The power supply that a terminal's panel reports."""

    MAINS = "mains"
    BATTERY = "battery"
    LOW = "low"
    """An almost empty battery."""
    WEAK = "weak"
    """Mains power below the voltage that the board needs."""


class PowerChanged(_Fact, frozen=True, tag="power-changed"):
    """The power supply changed some seconds ago, and hasn't changed back."""

    power: Power


class PinsLocked(_Fact, frozen=True, tag="pins-locked"):
    """Wrong PINs locked the keypad. ``wrong`` is the number of them since the last correct one."""

    wrong: int


TerminalFact = (
    MessageShown
    | MessageConfirmed
    | MessageExpired
    | GlassLocked
    | GlassUnlocked
    | TerminalRestarting
    | TerminalIdentified
    | PowerChanged
    | PinsLocked
)


class TerminalReport(msgspec.Struct, frozen=True, tag="terminal-report", tag_field="body"):
    """A journal entry about the terminal itself. ``orders_done`` has the same meaning as in ``GameStep``."""

    fact: TerminalFact
    orders_done: int
