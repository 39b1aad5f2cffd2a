"""Everything that the screen may show, as one value that the app makes for the scenes."""

import enum
from typing import Final

import msgspec

from core.editions.edition import Edition
from core.game.state.game import GameState
from core.game.timeline import Timeline
from core.terms import MessageId, SeatNo, TableNo
from kiosk.preferences import Preferences
from kiosk.touch import Correction
from kiosk.view.panel_view import PartsView
from sync.enrolment.provisioning_keys import Fault
from sync.terminal.agent_contract import LinkPhase, LinkReport


class ParcelContents(enum.Enum):
    """The contents of a parcel."""

    SHEET = "sheet"
    """The record sheet of the finished game."""
    OWED = "owed"
    """The entries that the station may lack."""
    GAME = "game"
    """All entries of the game."""


class ParcelCode(msgspec.Struct, frozen=True):
    """A QR code. Each row, from the top, is a number whose highest bit is the leftmost module."""

    size: int
    rows: tuple[int, ...]


class ShownParcel(msgspec.Struct, frozen=True):
    """A parcel on the screen.

    number, count: the part that is shown now, and the number of parts.
    code: the part's QR code, or None while it is being drawn.
    first, last: numbers of its entries, or 0 for a record sheet.
    every_ms: time for each part while they advance automatically.
    is_too_large: it has too many parts for codes.
    """

    load: ParcelContents
    number: int = 1
    count: int = 0
    code: ParcelCode | None = None
    first: int = 0
    last: int = 0
    every_ms: int = 500
    is_playing: bool = True
    is_too_large: bool = False
    has_failed: bool = False


class UsbStickState(enum.Enum):
    """The progress of writing to a USB drive."""

    WRITING = "writing"
    WRITTEN = "written"
    """Everything is written, and the drive may be removed."""
    NO_STICK = "no stick"
    FULL = "full"
    READ_ONLY = "read-only"
    PULLED = "pulled"
    """The drive was removed too early."""
    FAILED = "failed"


class OfflineExportView(msgspec.Struct, frozen=True):
    """The state of transfers without a connection, as the screen shows it.

    stick, file: the result and the file of the last attempt to write.
    owed: the number of entries that the station may lack.
    of_game: the number of entries of this game.
    """

    parcel: ShownParcel | None = None
    stick: UsbStickState | None = None
    file: str = ""
    has_sheet: bool = False
    owed: int = 0
    of_game: int = 0


class ShownMessage(msgspec.Struct, frozen=True):
    """A judge's message, and the number of further messages after it.

    ``may_confirm`` is True once it has been shown long enough to be confirmed on purpose.
    """

    message: MessageId
    text: str
    by: str
    after: int = 0
    may_confirm: bool = False


class StationOrdersView(msgspec.Struct, frozen=True):
    """The open orders of the station: the message to show now, and the judge who locked the screen.

    ``name`` is shown if the terminal has no table.
    """

    message: ShownMessage | None = None
    locked_by: str | None = None
    is_identified: bool = False
    name: str = ""


_ENDING_S: Final = 5 * 60


class RoundTime(msgspec.Struct, frozen=True):
    """The remaining time of the round at this table.

    left_s: negative once time is up.
    extended_s: time added to the limit.
    is_rough: the terminal was off or disconnected, and the station hasn't confirmed the time since.
    warns_min: the warning just reached, in minutes, or 0 for the end.
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
        return self.is_held_by_station or self.is_held_here

    @property
    def is_over(self) -> bool:
        return self.is_started and self.left_s <= 0

    @property
    def is_ending(self) -> bool:
        """The last minutes have begun, or time is up."""
        return self.is_started and self.left_s <= _ENDING_S

    @property
    def minutes(self) -> int:
        """The minutes left, rounded up; 0 when time is up."""
        return max(0, -(-self.left_s // 60))


class TurnTime(msgspec.Struct, frozen=True):
    """The time taken by a turn, in steps of a few seconds up to its limit. ``stands``: it is stopped."""

    spent_s: int
    limit_s: int
    stands: bool = False

    @property
    def is_over(self) -> bool:
        return self.spent_s >= self.limit_s


class UpdateShown(enum.Enum):
    """The stage of an update that people at the terminal see."""

    NOTHING = "nothing"
    FETCHING = "fetching"
    """A few words on the waiting screen."""
    SOON = "soon"
    """Installation begins in a moment unless somebody postpones it."""
    APPLYING = "applying"
    """The system is installing it; then the terminal restarts."""


class UpdateView(msgspec.Struct, frozen=True):
    """An update as the screen shows it. ``percent`` is the share downloaded so far."""

    phase: UpdateShown = UpdateShown.NOTHING
    version: str = ""
    percent: int = 0


class TableQuestion(enum.Enum):
    """A question about something that a table has probably forgotten."""

    STILL_TURN = "still turn"
    """The turn is long or has many victims, so its end may have been forgotten."""
    RESHUFFLED = "reshuffled"
    """The deck has probably been reshuffled without an entry."""


class Patience(msgspec.Struct, frozen=True):
    """The limits after which a table is asked about an omission, by its pace and its deck.

    turn_s: seconds in one turn, or None if turns aren't recorded.
    deck_turns: turns since the last reshuffle, if turns are recorded.
    deck_s: seconds since the last reshuffle, if they aren't. Both are None if reshuffles don't matter now.
    """

    turn_s: int | None = None
    deck_turns: int | None = None
    deck_s: int | None = None


NOT_CONNECTED: Final = LinkReport(LinkPhase.SEARCHING)


class Delivery(msgspec.Struct, frozen=True):
    """The progress of the table's entries, as entry numbers: entered >= saved >= received.

    ``owes_since_ms`` is the monotonic time since when entries have been missing at the station, or None.
    """

    entered: int = 0
    saved: int = 0
    received: int = 0
    link: LinkPhase = LinkPhase.SEARCHING
    owes_since_ms: int | None = None


class StoryLine(msgspec.Struct, frozen=True):
    """One line of the game's story, as text. ``turn`` is the number of its turn.

    steps: the number of steps that it covers, as quick taps share a line.
    moment: index of the timeline's moment after it.
    seats: the players it is about, or empty for the whole table.
    """

    turn: int
    text: str
    steps: int = 1
    moment: int = 0
    seats: tuple[SeatNo, ...] = ()


class PinState(enum.Enum):
    """The result of the last PIN."""

    NONE = "none"
    CHECKING = "checking"
    WRONG = "wrong"
    RIGHT = "right"
    LOCKED = "locked"
    """There were too many wrong PINs. It is locked until the time is over or the station unlocks it."""
    UNSET = "unset"
    """The station has set no PIN, or a judge has to trust this terminal first."""


class CodeOutcome(enum.Enum):
    """The result of the last enrolment code."""

    NONE = "none"
    TRYING = "trying"
    WRONG = "wrong"
    NOT_VALID = "not valid"
    """The station shows no code, or no longer the one that was typed."""
    NOT_REACHED = "not reached"
    NOT_PROVEN = "not proven"
    """The other side didn't prove that it knows the code."""


class FileProblem(msgspec.Struct, frozen=True):
    """The problem of a provisioning file on the card, for the person who fixes it.

    line: the number of the line, from 1, or 0 for the whole file.
    wrote: its text, without secrets.
    key: the key with its section, or empty for the whole line.
    fault, fields: what is wrong, or None for a problem of the disk, described by detail.
    """

    line: int = 0
    wrote: str = ""
    key: str = ""
    fault: Fault | None = None
    fields: tuple[tuple[str, str | int], ...] = ()
    detail: str = ""


class Enrolment(msgspec.Struct, frozen=True):
    """The progress of a terminal's enrolment.

    check_code: the code for the judge to compare now; may be empty.
    place: serial line on which the enrolment was requested.
    addresses: where to try codes, or empty for the serial line.
    """

    check_code: str = ""
    place: str = ""
    refused: bool = False
    outcome: CodeOutcome = CodeOutcome.NONE
    file_problem: FileProblem | None = None
    addresses: tuple[str, ...] = ()


class CardDoubt(enum.Enum):
    """The reason why no entries are accepted until a judge has decided about the card."""

    DISAGREES = "disagrees"
    """The station has other entries from this terminal: the card is a copy or an old backup."""
    FOREIGN = "foreign"
    """The card is from another board: it was moved here, or is a copy."""


class TextCode(msgspec.Struct, frozen=True):
    """A text and its QR code."""

    text: str
    code: ParcelCode


class TableView(msgspec.Struct, frozen=True):
    """The state of a table at one moment of the monotonic clock, as scenes show it.

    table: None if the station hasn't assigned one.
    notice: a refusal or problem as text, shown until dismissed.
    done: what the judge has just done, shown until dismissed.
    message: the station's text for the waiting screen.
    judge_present: the key switch is turned.
    round_time, turn_time: None without a limit, or if it is unknown.
    calls_before: the number of calls that the judge answers first, or None.
    calls_elsewhere: other tables waiting for a judge while this one's call is open, in order.
    may_undo: number of steps that can be undone.
    may_undo_freely: the same without a judge.
    call_presses: presses of the call button that call nobody, as the judge was called or nobody hears it.
    reshuffle_presses: reshuffles repeated so soon that the table is asked.
    doubtful_turns: reshuffles that armed High Noon in an uncertain turn.
    turns_again: players given the turn again, about whom the table is asked.
    pins_accepted: commands carried out after a right PIN.
    is_wet: water drops have locked the screen.
    is_relieved: another terminal has taken over.
    steps_to_come: steps of a game being taken over that haven't arrived.
    timeline: the steps in effect, with the state after each.
    taken_back: what the last undo took back, as text.
    answers_on_ending: how many of the latest undoable steps are agreements or disputes about the ending.
    language: the current one; ``preferences`` are those chosen at this terminal.
    is_rehearsal: nothing here counts.
    sign_in: the address at which players sign in by phone.
    story_code: the story of a confirmed game.
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
    calls_elsewhere: tuple[TableNo, ...] = ()
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
    answers_on_ending: int = 0
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
    sign_in: TextCode | None = None
    story_code: TextCode | None = None
    station: StationOrdersView = StationOrdersView()
