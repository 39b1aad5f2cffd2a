"""The pages that any scene may open, by name; ``kiosk.terminal.display.flow`` makes their scenes.

A scene that only its own feature opens needs no name here.
"""

import msgspec

from core.game.decide import GameCommand
from core.game.state.game import Cause
from core.terms import SeatNo
from kiosk.rules.applicable_rules import Rule
from kiosk.view.intents import UnlockGlass


class Menu(msgspec.Struct, frozen=True):
    """The table's menu."""


class JudgeMenu(msgspec.Struct, frozen=True):
    """The judge's menu."""


class JudgeCallPage(msgspec.Struct, frozen=True):
    """The page of a judge call. reader: the seat to turn it to; None for the player in turn, or for all."""

    reader: SeatNo | None = None


class Pin(msgspec.Struct, frozen=True):
    """The keypad for the judge's PIN.

    then: what the PIN allows; None to open the judge's menu. accepted: number of accepted PIN commands so
    far. done, more: as for ``AskGame``. leaves: close all opened pages afterwards.
    """

    then: GameCommand | UnlockGlass | None = None
    accepted: int = 0
    done: str = ""
    leaves: bool = False
    more: tuple[GameCommand, ...] = ()


class RulePage(msgspec.Struct, frozen=True):
    """The page of a rule. seat: its reader; None for all."""

    rule: Rule
    seat: SeatNo | None = None


class Rules(msgspec.Struct, frozen=True):
    """The list of all rules. seat: its reader; None for all."""

    seat: SeatNo | None = None


class PlayerMenu(msgspec.Struct, frozen=True):
    """The menu of one player."""

    seat: SeatNo


class EliminationPage(msgspec.Struct, frozen=True):
    """The questions about one elimination; for the fields, see its scene."""

    seat: SeatNo
    cause: Cause | None = None
    by: SeatNo | None = None
    was_asked: bool = False
    is_out_too: bool = False


class Story(msgspec.Struct, frozen=True):
    """The game's story. by_judge: any step may be undone."""

    by_judge: bool = False


class ConnectionPage(msgspec.Struct, frozen=True):
    """The connection, and the known addresses of stations."""


class Enrol(msgspec.Struct, frozen=True):
    """The enrolment with a station."""


class OfflineTransfer(msgspec.Struct, frozen=True):
    """The transfer of entries by codes or USB drive. by_judge: allowed even during a game."""

    by_judge: bool = False


class Language(msgspec.Struct, frozen=True):
    """The list of languages. seat: the player's; None for the whole table."""

    seat: SeatNo | None = None


class SoundPage(msgspec.Struct, frozen=True):
    """The volume setting."""


class DisplaySettings(msgspec.Struct, frozen=True):
    """The settings for theme, layout and automatic locking."""


Page = (
    Menu
    | JudgeMenu
    | JudgeCallPage
    | Pin
    | RulePage
    | Rules
    | PlayerMenu
    | EliminationPage
    | Story
    | ConnectionPage
    | Enrol
    | OfflineTransfer
    | Language
    | SoundPage
    | DisplaySettings
)
"""A page that any scene may open."""
