"""Requests that follow from a touch on the screen or a button of the panel, for the app to carry out."""

import enum

import msgspec

from core.game.decide import GameCommand
from core.terms import MessageId
from hardware.contract import Lamp, PanelButton, Tune
from kiosk.preferences import Preferences
from kiosk.touch import Correction
from kiosk.view.table_view import ParcelContents, TableQuestion
from sync.terminal.agent_contract import LinkRequest


class AskGame(msgspec.Struct, frozen=True):
    """Carry out a command of the game at this table, and then ``more``.

    done: text to show if the command is accepted; may be empty.
    is_certain: somebody has confirmed it already.
    in_any_turn: confirmed, except for whose turn it is.
    """

    command: GameCommand
    done: str = ""
    is_certain: bool = False
    in_any_turn: bool = False
    more: tuple[GameCommand, ...] = ()


class UnlockGlass(msgspec.Struct, frozen=True):
    """Unlock a screen that the station has locked, for a judge who is present with key or PIN."""


class TryPin(msgspec.Struct, frozen=True):
    """Check a PIN. If it is right, carry out ``then``, or open the judge's menu if that is None."""

    pin: str
    then: GameCommand | UnlockGlass | None
    done: str = ""
    more: tuple[GameCommand, ...] = ()

    @property
    def allowed(self) -> "AskGame | UnlockGlass | None":
        """Return the request to carry out if the PIN is right, or None for the judge's menu."""
        if self.then is None or isinstance(self.then, UnlockGlass):
            return self.then
        return AskGame(self.then, self.done, more=self.more)


class TryCode(msgspec.Struct, frozen=True):
    """Try to enrol with the code that the judge has typed.

    ``address`` is the station's ``host:port``, or empty to use the serial line.
    """

    address: str
    code: str


class ChangePreferences(msgspec.Struct, frozen=True):
    """Change the terminal's preferences."""

    preferences: Preferences


class PlayTune(msgspec.Struct, frozen=True):
    """Play a tune at the current volume."""

    tune: Tune


class ClockAsk(enum.Enum):
    """A judge's action on this table's clock."""

    START = "start"
    PAUSE = "pause"
    RESUME = "resume"
    EXTEND = "extend"


class AskClock(msgspec.Struct, frozen=True):
    """Change this table's clock at its current time. ``minutes`` is the length of an extension."""

    ask: ClockAsk
    minutes: int = 0


class DismissNotice(msgspec.Struct, frozen=True):
    """Dismiss the notice at the top of the screen."""


class AskLink(msgspec.Struct, frozen=True):
    """Send a request about the connection to the agent."""

    request: LinkRequest


class ShowCodes(msgspec.Struct, frozen=True):
    """Show a parcel as QR codes. With ``by_judge``, it is allowed during a game too."""

    load: ParcelContents
    by_judge: bool = False


class StepParcelPart(msgspec.Struct, frozen=True):
    """Skip a number of parts forward or back, and stop there."""

    by: int


class PlayParts(msgspec.Struct, frozen=True):
    """Show the parts one after another automatically, or stop. ``every_ms`` is the time for each part."""

    is_playing: bool
    every_ms: int


class WriteStick(msgspec.Struct, frozen=True):
    """Write all entries that the station may lack to a USB drive. ``by_judge`` is as for ``ShowCodes``."""

    by_judge: bool = False


class CloseExport(msgspec.Struct, frozen=True):
    """Close the codes or the page about the USB drive."""


class BeginAnew(msgspec.Struct, frozen=True):
    """Archive this terminal's journal and key, and enrol it again."""


class GoOnHere(msgspec.Struct, frozen=True):
    """Continue the journal on this board, as the card was moved here on purpose."""


class SelfTest(msgspec.Struct, frozen=True):
    """Begin or end a self-test, which controls the buttons, lamps and brightness while it runs."""

    is_on: bool


class TryLamp(msgspec.Struct, frozen=True):
    """Show a pattern on the status lamp."""

    says: Lamp


class TryGlow(msgspec.Struct, frozen=True):
    """Make one button's lamp blink, or none, and count presses and key turns from now on."""

    button: PanelButton | None


class TryLight(msgspec.Struct, frozen=True):
    """Set the brightness of the screen, in percent."""

    percent: int


class TryTouch(msgspec.Struct, frozen=True):
    """Try out a touch calibration, which is reverted unless it is confirmed. None reverts it now."""

    correction: Correction | None


class ReportSelfTest(msgspec.Struct, frozen=True):
    """Report the findings of a self-test, as pairs of part and finding."""

    results: tuple[tuple[str, str], ...]


class LockTable(msgspec.Struct, frozen=True):
    """Lock or unlock the buttons for life points and the game. ``is_wet``: because of drops on the screen."""

    is_locked: bool
    is_wet: bool = False


class AnswerShutDown(msgspec.Struct, frozen=True):
    """Answer the question that appears after holding the shut-down button."""

    is_yes: bool


class LetRest(msgspec.Struct, frozen=True):
    """Confirm that nothing was forgotten, as the screen shows the true state of the game."""

    question: TableQuestion


class PutOffUpdate(msgspec.Struct, frozen=True):
    """Postpone an update, as somebody needs the terminal now."""


class ConfirmMessage(msgspec.Struct, frozen=True):
    """Confirm that somebody at the table has read a judge's message."""

    message: MessageId


class EndIdentification(msgspec.Struct, frozen=True):
    """End the identification of a terminal after the judge has found it."""


CardDecision = BeginAnew | GoOnHere
CarryIntent = ShowCodes | StepParcelPart | PlayParts | WriteStick | CloseExport
PartIntent = SelfTest | TryLamp | TryGlow | TryLight | TryTouch | ReportSelfTest | AnswerShutDown
StationIntent = ConfirmMessage | EndIdentification | UnlockGlass
TableIntent = (
    AskGame
    | AskClock
    | TryPin
    | LetRest
    | DismissNotice
    | PutOffUpdate
    | CardDecision
    | AskLink
    | TryCode
    | ChangePreferences
    | PlayTune
    | LockTable
)
Intent = TableIntent | CarryIntent | PartIntent | StationIntent
