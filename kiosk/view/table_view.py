"""Everything the screen may show, as one value. The app makes it; scenes read it."""

import enum
from typing import Final

import msgspec

from saloon.core.editions.edition import Edition
from saloon.core.game.state import GameState
from saloon.core.game.timeline import Timeline
from saloon.core.terms import SeatNo, TableNo
from saloon.kiosk.preferences import Preferences
from saloon.kiosk.touch_correction import Correction
from saloon.kiosk.view.parts_view import PartsView
from saloon.kiosk.view.station_view import StationOrdersView
from saloon.kiosk.view.transfer_view import OfflineExportView, ParcelCode
from saloon.sync.enrolment.provisioning_faults import Fault
from saloon.sync.terminal.agent_contract import LinkPhase, LinkReport


class RoundTime(msgspec.Struct, frozen=True):
    """The remaining time of the round at this table.

    left_s: negative when it is over for so long. extended_s: what was given in addition to the limit.
    is_rough: the terminal was off or away, and the station has not said since what is left.
    warns_min: the warning that was reached just now, in minutes; 0 for the end.
    """

    left_s: int
    limit_s: int
    is_started: bool = True
    is_held_by_station: bool = False
    is_held_here: bool = False
    extended_s: int = 0
    is_rough: bool = False
    warns_min: int | None = None

    @property
    def is_paused(self) -> bool:
        """Return whether somebody has stopped it."""
        return self.is_held_by_station or self.is_held_here

    @property
    def is_over(self) -> bool:
        """Return whether no time is left."""
        return self.is_started and self.left_s <= 0

    @property
    def minutes(self) -> int:
        """Minutes left, a begun one as a whole; 0 when it is over."""
        return max(0, -(-self.left_s // 60))


class TurnTime(msgspec.Struct, frozen=True):
    """The time taken by a turn so far, in steps of some seconds; never more than its limit.

    stands: stopped, as the table waits for the judge, or for an answer.
    """

    spent_s: int
    limit_s: int
    stands: bool = False

    @property
    def is_over(self) -> bool:
        """Return whether the turn has reached its limit."""
        return self.spent_s >= self.limit_s


class UpdateShown(enum.Enum):
    """The stage of an update that people at the terminal see."""

    NOTHING = "nothing"
    FETCHING = "fetching"
    """A word on the waiting screen."""
    SOON = "soon"
    """It begins in a moment, unless somebody puts it off."""
    APPLYING = "applying"
    """The system puts it in place; then the terminal starts again."""


class UpdateView(msgspec.Struct, frozen=True):
    """An update as the screen shows it. version: its name. percent: downloaded."""

    shown: UpdateShown = UpdateShown.NOTHING
    version: str = ""
    percent: int = 0


class TableQuestion(enum.Enum):
    """A question about what a table has probably forgotten."""

    STILL_TURN = "still turn"
    """The turn takes long, or has many victims: nobody may have ended it."""
    RESHUFFLED = "reshuffled"
    """The deck should have been reshuffled by now."""


class Patience(msgspec.Struct, frozen=True):
    """The moments of questions about what a table may have forgotten, by its own pace and its deck.

    turn_s: spent in one turn; None if no turns are entered. deck_turns, deck_s: since the last reshuffle,
    in turns where they are entered, otherwise in time; None if nothing depends on it.
    """

    turn_s: int | None = None
    deck_turns: int | None = None
    deck_s: int | None = None


NOT_CONNECTED: Final = LinkReport(LinkPhase.SEARCHING)


class Delivery(msgspec.Struct, frozen=True):
    """The progress of the table's entries, as numbers of entries: entered >= saved >= received.

    owes_since_ms: since when, on the monotonic clock, entries wait to be received; None for none.
    """

    entered: int = 0
    saved: int = 0
    received: int = 0
    link: LinkPhase = LinkPhase.SEARCHING
    owes_since_ms: int | None = None


class StoryLine(msgspec.Struct, frozen=True):
    """One line of the game's story, already in words. turn: number of the turn it belongs to.

    steps: the number of steps it covers; taps in quick succession are one line. moment: the index of the
    timeline's moment after it. seats: whom it is about; none for the whole table.
    """

    turn: int
    text: str
    steps: int = 1
    moment: int = 0
    seats: tuple[SeatNo, ...] = ()


class PinState(enum.Enum):
    """The result of the last PIN that was typed."""

    NONE = "none"
    CHECKING = "checking"
    WRONG = "wrong"
    RIGHT = "right"
    LOCKED = "locked"
    """Too many wrong PINs; the station or time opens it again."""
    UNSET = "unset"
    """The station has set no PIN, or a judge must trust this terminal first."""


class CodeOutcome(enum.Enum):
    """The result of the last code that was typed."""

    NONE = "none"
    TRYING = "trying"
    WRONG = "wrong"
    NOT_VALID = "not valid"
    """The station shows no code, or not any more."""
    NOT_REACHED = "not reached"
    NOT_PROVEN = "not proven"
    """The peer did not prove that it shows the code."""


class FileProblem(msgspec.Struct, frozen=True):
    """The problem of the provisioning file on the card, for the person who fixes it.

    line: from 1; 0 for the whole file. wrote: the text there, without secrets. key: with its section;
    empty for the whole line. fault, fields: what is wrong; None if the disk is, as detail says.
    """

    line: int = 0
    wrote: str = ""
    key: str = ""
    fault: Fault | None = None
    fields: tuple[tuple[str, str | int], ...] = ()
    detail: str = ""


class Enrolment(msgspec.Struct, frozen=True):
    """The progress of a terminal's enrolment.

    check_code: what the judge compares now; empty for nothing. place: the cable it asks at. refused:
    the judge has refused it there. outcome: of a typed code. file_problem: what is wrong with the
    provisioning file, for the judge. addresses: where codes are tried; none for the cable.
    """

    check_code: str = ""
    place: str = ""
    refused: bool = False
    outcome: CodeOutcome = CodeOutcome.NONE
    file_problem: FileProblem | None = None
    addresses: tuple[str, ...] = ()


class CardDoubt(enum.Enum):
    """The reason for which nothing is entered at this terminal until a judge has decided."""

    DISAGREES = "disagrees"
    """The station holds other entries of this terminal: a copy, or a card put back from an old one."""
    FOREIGN = "foreign"
    """The card was made on another board: it was moved here, or is a copy."""


class SignInView(msgspec.Struct, frozen=True):
    """The page where players sign in by phone. link: its address. code: the same, to be scanned."""

    link: str
    code: ParcelCode


class TableView(msgspec.Struct, frozen=True):
    """One moment at a table.

    table: None while the station has not assigned one. game: None between games. notice: a refusal
    or trouble in the players' language, shown until dismissed. judge_present: the key switch is
    turned. done: what the judge has just done, shown until dismissed.
    message: what the station wants the waiting screen to say. now_ms: monotonic clock.
    round_time: None without a limit, or where nobody knows. may_undo: steps that may be undone;
    may_undo_freely: without a judge. may_redo: steps that a redo enters again.
    call_presses: how often the button that calls the judge was pressed while the judge was called, or the
    call could not be sent. reshuffle_presses: how often a reshuffle was pressed again so soon that it is
    asked about. doubtful_turns: how often a reshuffle armed High Noon in a turn that is asked about.
    turns_again: the players named as having the turn again, each of whom the table is asked about.
    pins_accepted: how many commands a right PIN has carried out.
    is_wet: drops have locked the glass.
    is_relieved: another terminal keeps this game now. steps_to_come: steps of a game that is being taken
    over and not whole yet.
    turn_time: None if nobody wants a timer.
    timeline: the steps that count, with the table after each. taken_back: what the last move undid, in words.
    pin_wait_s: how long no PIN is taken.
    words_on_ending: how many of the steps that may be undone, the last ones, are words on the ending.
    doubt: what is doubtful about the card; None for nothing.
    link: how the terminal is connected.
    carried: what is shown as codes or written to a stick.
    preferences: what people chose at this terminal; ``language`` is what is spoken now.
    is_rehearsal: nothing here counts.
    update: of a new version of the program. question: what the table is asked; None for nothing.
    sign_in: None if nobody can sign in by phone. station: its orders about the terminal itself.
    """

    table: TableNo | None
    game: GameState | None
    edition: Edition | None
    delivery: Delivery
    now_ms: int
    language: str = "en"
    notice: str = ""
    done: str = ""
    message: str = ""
    judge_present: bool = False
    judge_coming: bool = False
    calls_before: int | None = None
    call_presses: int = 0
    reshuffle_presses: int = 0
    doubtful_turns: int = 0
    turns_again: tuple[SeatNo, ...] = ()
    pins_accepted: int = 0
    pin: PinState = PinState.NONE
    pin_wait_s: int = 0
    story: tuple[StoryLine, ...] = ()
    timeline: Timeline | None = None
    may_undo: int = 0
    may_undo_freely: int = 0
    may_redo: int = 0
    taken_back: str = ""
    words_on_ending: int = 0
    enrolment: Enrolment = Enrolment()
    round_time: RoundTime | None = None
    turn_time: TurnTime | None = None
    is_relieved: bool = False
    steps_to_come: int = 0
    doubt: CardDoubt | None = None
    link: LinkReport = NOT_CONNECTED
    carried: OfflineExportView = OfflineExportView()
    is_locked: bool = False
    is_wet: bool = False
    parts: PartsView = PartsView()
    touch: Correction | None = None
    preferences: Preferences = Preferences()
    is_rehearsal: bool = False
    update: UpdateView = UpdateView()
    question: TableQuestion | None = None
    patience: Patience = Patience()
    sign_in: SignInView | None = None
    station: StationOrdersView = StationOrdersView()
