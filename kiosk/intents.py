"""What a finger on the screen, or a button of the panel, asks for. The app carries it out."""

import msgspec

from saloon.core.game.commands import GameCommand
from saloon.sync.agent_contract import AgentRequest


class AskGame(msgspec.Struct, frozen=True):
    """A command for the game at this table; the app hands it to the core and journals the answer."""

    command: GameCommand


class TryPin(msgspec.Struct, frozen=True):
    """The judge typed a PIN: check it and, if it is right, open the judge's menu or confirm the sheet.

    then: the command that the right PIN allows; None only opens the judge's menu.
    """

    pin: str
    then: GameCommand | None


class SpeakLanguage(msgspec.Struct, frozen=True):
    """Change the language of the terminal; a gettext language code."""

    language: str


class DismissNotice(msgspec.Struct, frozen=True):
    """The notice at the top of the screen was read."""


class AskLink(msgspec.Struct, frozen=True):
    """Something about the way to the station; the app hands it to the agent."""

    request: AgentRequest


Intent = AskGame | AskLink | TryPin | SpeakLanguage | DismissNotice
