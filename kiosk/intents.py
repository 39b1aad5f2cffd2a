"""Requests from a touch on the screen, or a button of the panel. The app carries them out."""

import enum

import msgspec

from saloon.core.game.commands import GameCommand
from saloon.core.terms import MessageId
from saloon.hardware.contract import Lamp, PanelButton, Tune
from saloon.kiosk.preferences import Preferences
from saloon.kiosk.touch_correction import Correction
from saloon.kiosk.view.table_view import TableQuestion
from saloon.kiosk.view.transfer_view import ParcelContents
from saloon.sync.terminal.agent_contract import LinkRequest


class AskGame(msgspec.Struct, frozen=True):
    """A command for the game at this table; the app hands it to the core and journals the answer.

    done: what the screen says when it was accepted; empty for nothing. is_certain: somebody was asked
    whether it is meant. in_any_turn: but not about its turn. more: what is asked for once it was accepted.
    """

    command: GameCommand
    done: str = ""
    is_certain: bool = False
    in_any_turn: bool = False
    more: tuple[GameCommand, ...] = ()


class UnlockGlass(msgspec.Struct, frozen=True):
    """The judge at the table unlocks the glass that the station has locked: by the key, or by the PIN."""


class TryPin(msgspec.Struct, frozen=True):
    """The judge typed a PIN: check it and, if it is right, open the judge's menu or confirm the sheet.

    then: what the right PIN allows; None only opens the judge's menu. done, more: as for ``AskGame``.
    """

    pin: str
    then: GameCommand | UnlockGlass | None
    done: str = ""
    more: tuple[GameCommand, ...] = ()

    @property
    def allowed(self) -> "AskGame | UnlockGlass | None":
        """Return what is carried out once the PIN is right."""
        if self.then is None or isinstance(self.then, UnlockGlass):
            return self.then
        return AskGame(self.then, self.done, more=self.more)


class TryCode(msgspec.Struct, frozen=True):
    """The judge typed the station's code. address: where to try it, ``host:port``; empty for the cable."""

    address: str
    code: str


class ChangePreferences(msgspec.Struct, frozen=True):
    """People chose how the terminal looks, sounds and speaks from now on."""

    preferences: Preferences


class PlayTune(msgspec.Struct, frozen=True):
    """Play a tune, as loud as tunes are now."""

    tune: Tune


class ClockAsk(enum.Enum):
    """The judge's actions on the clock of this table."""

    START = "start"
    PAUSE = "pause"
    RESUME = "resume"
    EXTEND = "extend"


class AskClock(msgspec.Struct, frozen=True):
    """Do something to the clock of this table; the app adds what the clock says. minutes: of an extension."""

    ask: ClockAsk
    minutes: int = 0


class DismissNotice(msgspec.Struct, frozen=True):
    """The notice at the top of the screen was read."""


class AskLink(msgspec.Struct, frozen=True):
    """Something about the way to the station; the app hands it to the agent."""

    request: LinkRequest


class ShowCodes(msgspec.Struct, frozen=True):
    """Show a parcel as codes. by_judge: asked from the judge's menu, also while a game runs."""

    load: ParcelContents
    by_judge: bool = False


class StepParcelPart(msgspec.Struct, frozen=True):
    """Move a number of parts forward or back, and stay there."""

    by: int


class PlayParts(msgspec.Struct, frozen=True):
    """Let the parts follow one another by themselves, or stop. every_ms: how long each stays."""

    is_playing: bool
    every_ms: int


class WriteStick(msgspec.Struct, frozen=True):
    """Write what the station may lack to a stick. by_judge: as for codes."""

    by_judge: bool = False


class CloseExport(msgspec.Struct, frozen=True):
    """The codes, or the words about the stick, are not needed any more."""


class BeginAnew(msgspec.Struct, frozen=True):
    """Set the journal and the key of this terminal aside, as the judge chose; it enrols again."""


class GoOnHere(msgspec.Struct, frozen=True):
    """The card was moved to this board: its journal goes on here, as the judge says."""


class SelfTest(msgspec.Struct, frozen=True):
    """Begin or end a self-test: while it runs, buttons, lamps and light belong to it."""

    is_on: bool


class TryLamp(msgspec.Struct, frozen=True):
    """Show a pattern on the status lamp."""

    says: Lamp


class TryGlow(msgspec.Struct, frozen=True):
    """Let the lamp in one button blink, None for no lamp; presses and turns are counted from now on."""

    button: PanelButton | None


class TryLight(msgspec.Struct, frozen=True):
    """Let the screen be so bright, in percent."""

    percent: int


class TryTouch(msgspec.Struct, frozen=True):
    """Try a touch calibration, None to take it back; it ends when nobody chooses it."""

    correction: Correction | None


class ReportSelfTest(msgspec.Struct, frozen=True):
    """The findings of a self-test, as pairs of part and finding."""

    results: tuple[tuple[str, str], ...]


class LockTable(msgspec.Struct, frozen=True):
    """Lock or unlock life points and game buttons. is_wet: drops on the glass are the reason."""

    is_locked: bool
    is_wet: bool = False


class AnswerShutDown(msgspec.Struct, frozen=True):
    """The answer on the screen to a held shut-down button."""

    is_yes: bool


class LetRest(msgspec.Struct, frozen=True):
    """The table has answered a question about what it may have forgotten: all is as the screen shows it."""

    question: TableQuestion


class PutOffUpdate(msgspec.Struct, frozen=True):
    """Somebody needs the terminal: the new version begins later."""


class ConfirmMessage(msgspec.Struct, frozen=True):
    """Somebody at the table has read a judge's message."""

    message: MessageId


class EndIdentification(msgspec.Struct, frozen=True):
    """The terminal that let itself be found was found."""


CardDecision = BeginAnew | GoOnHere
CarryIntent = ShowCodes | StepParcelPart | PlayParts | WriteStick | CloseExport
PartIntent = SelfTest | TryLamp | TryGlow | TryLight | TryTouch | ReportSelfTest | AnswerShutDown
LinkIntent = AskLink | TryCode
Choice = ChangePreferences | PlayTune | LockTable
StationIntent = ConfirmMessage | EndIdentification | UnlockGlass
Intent = (
    AskGame
    | LinkIntent
    | TryPin
    | Choice
    | AskClock
    | DismissNotice
    | LetRest
    | PutOffUpdate
    | CardDecision
    | CarryIntent
    | PartIntent
    | StationIntent
)
