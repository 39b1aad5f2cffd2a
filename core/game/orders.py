"""Orders from a station to a table's terminal, and the terminal's reports about itself: journal entries.

A terminal carries out each order once, in sequence, and puts its sequence number in the resulting step
(``GameStep.order``). Orders that cause no step are recorded in the journal all the same.
Reports belong to no game. They answer orders about the terminal, or report that a judge at the table unlocked
the screen, that the power supply changed, or that wrong PINs locked the keypad.
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
    """Seat the players of a published table. ``time_limit_min`` is the round's limit, or None if it has none.

    ``clock_waits`` is True if the round's clock has not been started yet.
    """

    seating: SeatTable
    time_limit_min: int | None = None
    clock_waits: bool = False


class TakeGame(_Order, frozen=True, tag="take-game"):
    """Take over a game from another terminal: its steps so far, or more of them.

    first: index of the first step in this order; 0 restarts the log, unless the terminal already has its
        beginning.
    total: number of steps in all orders of the takeover.
    time_limit_min: the round's limit, or None if it has none.
    reason: given by the judge, when choosing between two logs.
    """

    game: GameId
    first: int
    total: int
    steps: tuple[StepWithOrigin, ...]
    time_limit_min: int | None = None
    reason: str = ""


class RelieveTable(_Order, frozen=True, tag="relieve-table"):
    """Hand the game over to another terminal; entries made here stay in the journal."""

    game: GameId


class WithdrawSeat(_Order, frozen=True, tag="withdraw-seat"):
    """Remove a player who abandons or is ejected in the middle of the game."""

    game: GameId
    seat: SeatNo
    ejected: bool


class OfferSignIn(_Order, frozen=True, tag="offer-sign-in"):
    """Offer check-in by phone for this game.

    ``link`` is the address of the players' page; empty to end the offer.
    """

    game: GameId
    link: str


class CheckInSeat(_Order, frozen=True, tag="check-in-seat"):
    """Check in a player who did so by phone.

    ``language`` is a gettext code chosen for their own panel, or empty if none was chosen.
    """

    game: GameId
    seat: SeatNo
    language: str = ""


class AnswerCall(_Order, frozen=True, tag="answer-call"):
    """Tell the table that the judge is on the way; the call's lamp goes off."""

    game: GameId


class PlaceInQueue(_Order, frozen=True, tag="place-in-queue"):
    """Show a table's place among those waiting for the judge.

    call: number of the table's call, from 1.
    before: tables that called earlier.
    """

    game: GameId
    call: int
    before: int


class CallTime(_Order, frozen=True, tag="call-time"):
    """End the game at the time limit. ``how`` is None for the edition's reading (D09).

    ending: the judge's ruling, if any.
    reason: in the judge's words.
    """

    game: GameId
    how: TimeLimit | None = None
    ending: Ending | None = None
    reason: str = ""


class SetClock(_Order, frozen=True, tag="set-clock", omit_defaults=True):
    """Set the round's clock at a table, without extensions and pauses by the table's own judge.

    left_s: time left when this was written; negative after the end.
    held: the station has stopped the clock.
    extended_s: time added by the station.
    change: number of changes to this table's clock so far.
    answers: number of the terminal's requests that this answers.
    ends_pause: number of the table's own pause that the station has ended, or 0 if it has ended none.
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
    """Show that the judge confirmed, corrected or entered this table's record sheet at the station.

    ``is_corrected`` is True if the table recorded another result, or none.
    """

    game: GameId
    is_corrected: bool = False


class VoidTable(_Order, frozen=True, tag="void-table"):
    """Void the game at this table because its draw was undone."""

    game: GameId
    reason: str


class CloseTournament(_Order, frozen=True, tag="close-tournament"):
    """End the tournament. ``message`` is shown on the waiting screen."""

    message: str


class ShowMessage(_Order, frozen=True, tag="show-message", omit_defaults=True):
    """Show a judge's message on top of everything until somebody at the table confirms it.

    by: the judge's name.
    game: the game that it belongs to; it isn't shown during another one. None between games.
    lasts_s: longest time that it is shown after its arrival, or 0 if there is no limit.
    """

    message: MessageId
    text: str
    by: str
    game: GameId | None = None
    lasts_s: Seconds = Seconds(0)


class WithdrawMessage(_Order, frozen=True, tag="withdraw-message"):
    """Remove a message that was withdrawn by a judge or has expired."""

    message: MessageId


class LockGlass(_Order, frozen=True, tag="lock-glass"):
    """Lock or unlock a terminal's touchscreen and buttons, except the judge call.

    ``by`` is the judge's name.
    """

    is_locked: bool
    by: str


class RestartTerminal(_Order, frozen=True, tag="restart-terminal"):
    """Restart the terminal's program once everything is saved and nobody touches the screen."""


class IdentifyTerminal(_Order, frozen=True, tag="identify-terminal"):
    """Make the terminal identify itself by its lamp, a sound and large text.

    ``name`` is shown if it has no table.
    """

    name: str


OrderAboutTerminal = ShowMessage | WithdrawMessage | LockGlass | RestartTerminal | IdentifyTerminal
"""An order about the terminal itself, independent of any game; answered by a ``TerminalReport``."""

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
    | CallTime
    | SetClock
    | ConfirmFromStation
    | VoidTable
    | CloseTournament
    | OrderAboutTerminal
)


def tournament_of(order: Order) -> TournamentId | None:
    """Return the tournament of the game that an order starts, or None for other orders."""
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
    """A message arrived; it is shown, or waits for an earlier one."""

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
    """The touchscreen was unlocked.

    ``is_at_table`` is True if the judge there did it, with key or PIN, rather than the station.
    """

    is_at_table: bool = False


class TerminalRestarting(_Fact, frozen=True, tag="terminal-restarting"):
    """The program is about to restart on the station's order."""


class TerminalIdentified(_Fact, frozen=True, tag="terminal-identified"):
    """The terminal blinked, played a sound and showed its name."""


class Power(enum.Enum):
    """The power supply of a terminal, as far as its panel reports it."""

    MAINS = "mains"
    BATTERY = "battery"
    LOW = "low"
    """An almost empty battery."""
    WEAK = "weak"
    """Mains power below the voltage that the board needs."""


class PowerChanged(_Fact, frozen=True, tag="power-changed"):
    """The power supply changed, and stayed so for some seconds."""

    power: Power


class PinsLocked(_Fact, frozen=True, tag="pins-locked"):
    """Wrong PINs locked the keypad for a while. ``wrong`` counts them since the last correct one."""

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
    """The body of a journal entry about the terminal itself. ``orders_done`` is as in ``GameStep``."""

    fact: TerminalFact
    orders_done: int
