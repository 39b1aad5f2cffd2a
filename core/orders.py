"""Orders: the bodies of the entries that a station sends to a table's terminal.

A terminal carries each order out once, in order, and names its sequence number in the step
that the order causes (``GameStep.order``). Orders that cause no step are remembered by the
journal like all others.
"""

import msgspec

from saloon.core.editions.readings import TimeLimit
from saloon.core.game.commands import SeatTable
from saloon.core.game.correction.takeover import StepWithOrigin
from saloon.core.game.events import Ending, GameStep, TableSeated
from saloon.core.terms import GameId, MessageId, SeatNo, Seconds, TableNo, TournamentId


class _Order(msgspec.Struct, frozen=True, tag=True, tag_field="body"):
    pass


class AssignTable(_Order, frozen=True, tag="assign-table"):
    """This terminal belongs at this table. judge_pin: argon2 hash that opens the judge's menu."""

    table: TableNo
    judge_pin: str


class SeatGame(_Order, frozen=True, tag="seat-game"):
    """Seat the players of a published table. time_limit_min: of the round, None for no limit.

    clock_waits: the round's clock is stopped until the judge starts it.
    """

    seating: SeatTable
    time_limit_min: int | None = None
    clock_waits: bool = False


class TakeGame(_Order, frozen=True, tag="take-game"):
    """Take a game over from another terminal: its steps so far, verbatim, or more of them.

    first: how many steps of the game come before these; from 0 on the log starts again, unless
    what the terminal holds is the beginning of it. total: steps of the game, those of the orders that
    follow included. time_limit_min: of the round, None for no limit. reason: the judge's, where the
    judge chose between two logs.
    """

    game: GameId
    first: int
    total: int
    steps: tuple[StepWithOrigin, ...]
    time_limit_min: int | None = None
    reason: str = ""


class RelieveTable(_Order, frozen=True, tag="relieve-table"):
    """Another terminal keeps this game from now on; what was entered here stays in the journal."""

    game: GameId


class WithdrawSeat(_Order, frozen=True, tag="withdraw-seat"):
    """A player abandons, or is ejected, in the middle of the game."""

    game: GameId
    seat: SeatNo
    ejected: bool


class OfferSignIn(_Order, frozen=True, tag="offer-sign-in"):
    """Players may sign in to this game by phone. link: the address of their page; empty for no longer."""

    game: GameId
    link: str


class CheckInSeat(_Order, frozen=True, tag="check-in-seat"):
    """A player has confirmed by phone that they are here.

    language: a gettext code, chosen for their own panel; empty for no choice.
    """

    game: GameId
    seat: SeatNo
    language: str = ""


class AnswerCall(_Order, frozen=True, tag="answer-call"):
    """The judge is on the way; the call's lamp goes out."""

    game: GameId


class PlaceInQueue(_Order, frozen=True, tag="place-in-queue"):
    """A table's place among those that wait for the judge.

    call: the number of the table's own call, from 1. before: the tables that called earlier.
    """

    game: GameId
    call: int
    before: int


class CallTime(_Order, frozen=True, tag="call-time"):
    """The time limit is reached. how: None for what the rules read (D09).

    ending: where the judge rules one. reason: in the judge's words.
    """

    game: GameId
    how: TimeLimit | None = None
    ending: Ending | None = None
    reason: str = ""


class SetClock(_Order, frozen=True, tag="set-clock", omit_defaults=True):
    """The round's clock at a table, without extensions and pauses by the table's own judge.

    left_s: at the moment of writing; negative when it was over. held: the station has stopped it.
    extended_s: what the station gave in addition to the limit. change: how often the clock of this table
    was changed. answers: how many doubts of the terminal were known when this was written. ends_pause: the
    number of the pause of the table's own judge that the station has ended; 0 for none.
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
    """The judge confirmed, corrected or entered this table's record sheet at the station.

    is_corrected: the table's own entries give another result, or none.
    """

    game: GameId
    is_corrected: bool = False


class VoidTable(_Order, frozen=True, tag="void-table"):
    """The draw was taken back: the game at this table does not count."""

    game: GameId
    reason: str


class CloseTournament(_Order, frozen=True, tag="close-tournament"):
    """The tournament is over; message is shown on the waiting screen."""

    message: str


class ShowMessage(_Order, frozen=True, tag="show-message", omit_defaults=True):
    """Show a judge's message over everything else until somebody at the table confirms it.

    by: the judge's name. game: that the table plays; the message is not shown in another one. None between
    games. lasts_s: how long after its arrival it is shown at most; 0 for no limit.
    """

    message: MessageId
    text: str
    by: str
    game: GameId | None = None
    lasts_s: Seconds = Seconds(0)


class WithdrawMessage(_Order, frozen=True, tag="withdraw-message"):
    """A message is not shown any more: a judge has withdrawn it, or it is too old."""

    message: MessageId


class LockGlass(_Order, frozen=True, tag="lock-glass"):
    """Lock or unlock a terminal's glass and buttons; the judge can still be called. by: the judge's name."""

    is_locked: bool
    by: str


class RestartTerminal(_Order, frozen=True, tag="restart-terminal"):
    """Restart the terminal's program as soon as all is saved and nobody touches the glass."""


class IdentifyTerminal(_Order, frozen=True, tag="identify-terminal"):
    """Let the terminal be found: by its lamp, a sound and large words. name: of one without a table."""

    name: str


OrderAboutTerminal = ShowMessage | WithdrawMessage | LockGlass | RestartTerminal | IdentifyTerminal
"""An order about the terminal itself, with or without a game; answered by a ``TerminalReport``."""

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
    """Return the tournament of the game that an order gives; None for another order."""
    match order:
        case SeatGame():
            return order.seating.tournament
        case TakeGame(steps=(StepWithOrigin(step=GameStep(events=(TableSeated() as seated, *_))), *_)):
            return seated.tournament
        case _:
            return None
