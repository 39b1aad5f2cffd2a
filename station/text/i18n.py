"""The texts of the pages, translated by gettext into the language of each request.

Enum members of the core and the station have their labels here; features add those of their own members. A
test checks that none is missing.
"""

import functools
import gettext as catalogues
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Final

from base.errors import BadData, Refused, SaloonError, Unavailable
from base.languages import LANGUAGES
from core.editions.edition import TieBreak, Waiver
from core.editions.game_rules import HighNoonStarter
from core.editions.winnings_table import WinningsCase
from core.game.ending.record_sheet import Fate
from core.game.ending.winnings import PayoutKind
from core.game.in_words import BECAUSE, CALL_REASONS, EVENT_CARDS, ROLE_NAMES
from core.game.orders import Power
from core.game.state.duel import DuelBecause
from core.game.state.game import Cause, HighNoon, Phase
from core.game.state.offences import OFFENCE_NAMES
from core.rule_set import AgreementForm, OptionKey, RecordMode
from core.terms import DuelPart, Ending, MatchKind
from core.text.money import TERM_WORDS
from core.tournament.standings.why import Decided
from core.tournament.state.decision import Progress
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import Stage
from station.accounts.permissions import AccountRole
from station.projections.cards import CodeState, SheetState, TerminalLink
from station.sd_cards.card_files import CardState
from station.store.database import DatabaseDamaged
from station.text.reasons import NotNow


def _(text: str) -> str:
    return text


LABELS: Final[dict[Enum, str]] = {
    AccountRole.HEAD_JUDGE: _("head judge"),
    AccountRole.FLOOR_JUDGE: _("floor judge"),
    AccountRole.ORGANISER: _("organiser"),
    AccountRole.DISPLAY: _("display"),
    **{counted: words.counted for counted, words in TERM_WORDS.items()},
    **ROLE_NAMES,
    **EVENT_CARDS,
    **BECAUSE,
    **OFFENCE_NAMES,
    **CALL_REASONS,
    Stage.REGISTRATION: _("Registration"),
    Stage.SEALED: _("Draw sealed"),
    Stage.DRAWN: _("Drawn, not public yet"),
    Stage.PLAYING: _("In progress"),
    Stage.BETWEEN: _("Before the next draw"),
    Stage.FINALS: _("Finals"),
    Stage.FINISHED: _("Everything has been played"),
    Stage.PUBLISHED: _("Ranking is public"),
    Progress.UNKNOWN: _("its terminal is disconnected, so nobody knows how far the game has got"),
    Progress.BEGINNING: _("roles and characters are being dealt"),
    Progress.PLAYING: _("playing"),
    Progress.OVER: _("the game is over, its record sheet isn't confirmed"),
    Progress.ACCEPTED: _("record sheet confirmed"),
    SheetState.PLAYING: _("playing"),
    SheetState.PROPOSED: _("waiting for the judge"),
    SheetState.ACCEPTED: _("confirmed"),
    SheetState.DISPUTED: _("disputed"),
    SheetState.WALKOVER: _("without a duel"),
    Power.MAINS: _("mains power"),
    Power.BATTERY: _("on battery"),
    Power.LOW: _("battery almost empty"),
    Power.WEAK: _("power supply too weak"),
    TerminalLink.NONE: _("no terminal"),
    TerminalLink.AWAY: _("disconnected"),
    TerminalLink.SERIAL: _("cable"),
    TerminalLink.BUS: _("shared cable"),
    TerminalLink.TCP: _("network"),
    CardState.UNUSED: _("not used yet"),
    CardState.USED: _("used"),
    CardState.WITHDRAWN: _("withdrawn"),
    CodeState.VALID: _("The code is valid."),
    CodeState.CHECKED: _("A terminal is trying the code right now."),
    CodeState.LET_IN: _("A terminal was enrolled with the code."),
    CodeState.WRONG: _("A wrong code was typed, so this code no longer works. Was it you? Show a new one."),
    CodeState.OVER: _("The code has expired. Show a new one."),
    Phase.SEATING: _("players checking in"),
    Phase.ROLES: _("dealing roles"),
    Phase.AUCTION: _("auctioning characters"),
    Phase.CHARACTERS: _("choosing characters"),
    Phase.PLAYING: _("playing"),
    Phase.DUEL: _("duelling"),
    Phase.ENDED: _("over: roles being declared"),
    Phase.SHEET: _("over: sheet not confirmed"),
    Phase.CONFIRMED: _("confirmed at the table"),
    Phase.VOIDED: _("voided"),
    HighNoon.OFF: _("no High Noon"),
    HighNoon.WAITING: _("High Noon is near"),
    HighNoon.CALLED: _("High Noon is near"),
    HighNoon.ON: _("High Noon"),
    HighNoonStarter.SHERIFF: _("the Sheriff's next turn"),
    HighNoonStarter.AFTER_SHERIFF: _("the first turn directly after one of the Sheriff's turns"),
    Ending.LAW_WINS: _("The Sheriff and the Deputies win"),
    Ending.OUTLAWS_WIN: _("The Outlaws win"),
    Ending.RENEGADE_WINS: _("The Renegade wins"),
    Ending.NO_WINNER: _("Nobody wins"),
    DuelBecause.ELIMINATIONS: _("enough of the opponent's characters are out"),
    DuelBecause.OPPONENT_LEFT: _("the opponent left"),
    DuelBecause.OPPONENT_EJECTED: _("the judge ejected the opponent"),
    DuelBecause.RULING: _("the judge named the winner"),
    Cause.PLAYER: _("a player"),
    Cause.DYNAMITE: _("Dynamite"),
    Cause.HIGH_NOON: _("High Noon"),
    Cause.OWN_DUEL: _("their own Duel"),
    Fate.ALIVE: _("alive"),
    Fate.ELIMINATED: _("eliminated"),
    Fate.PASSIVE: _("left, still in play"),
    Fate.LEFT_AND_ELIMINATED: _("left, then eliminated"),
    Fate.EJECTED: _("ejected"),
    Fate.EJECTED_AND_ELIMINATED: _("ejected, then eliminated"),
    TieBreak.MAROGI: _("Marogi"),
    TieBreak.BUCHHOLZ: _("Buchholz"),
    TieBreak.MATCHES_WON: _("Matches won"),
    TieBreak.WON_AS_SHERIFF: _("Games won as Sheriff"),
    TieBreak.WON_AS_RENEGADE: _("Games won as Renegade"),
    TieBreak.WON_AS_DEPUTY: _("Games won as Deputy"),
    TieBreak.WON_AS_OUTLAW: _("Games won as Outlaw"),
    TieBreak.TURNS_PLAYED: _("Turns played"),
    TieBreak.LOT: _("Lot"),
    Waiver.FEWER_ROUNDS: _("fewer rounds"),
    Waiver.TIME_LIMIT: _("a time limit for each round"),
    WinningsCase.ALWAYS: "",
    WinningsCase.ALIVE: _("alive"),
    WinningsCase.ELIMINATED: _("eliminated"),
    WinningsCase.LOST_FINAL_DUEL: _("lost the final duel to the Sheriff *"),
    WinningsCase.NO_FINAL_DUEL: _("eliminated before the final duel"),
    RecordMode.FULL: _("Full game"),
    RecordMode.LIGHT: _("Light game"),
    AgreementForm.EACH_PLAYER: _("Each player agrees"),
    AgreementForm.ONE_FOR_ALL: _("One player agrees for all"),
    AgreementForm.SHERIFF_AND_ONE: _("The Sheriff and one other player agree"),
    OptionKey.CASH_REWARDS: _("Cash rewards"),
    OptionKey.EXPERIENCE: _("Experience"),
    OptionKey.ENLISTMENT: _("Character enlistment"),
    OptionKey.RUTHLESS_LAW: _("Ruthless Law"),
    OptionKey.REBEL: _("The Rebel!"),
    MatchKind.GAME: _("Game"),
    MatchKind.LONG_DUEL: _("Long duel"),
    MatchKind.SHORT_DUEL: _("Short duel"),
    DuelPart.TIE_BREAK: _("One-on-one"),
    DuelPart.SEMIFINALS: _("Semifinal"),
    DuelPart.FINAL: _("Final"),
    PayoutKind.TABLE: _("Row of the winnings table"),
    PayoutKind.REWARD: _("Reward"),
    PayoutKind.PENALTY: _("Penalty"),
    Decided.SCORE: _("the score"),
    Decided.KEY: _("a tie-break"),
    Decided.GAME_OF_TWO: _("the one-on-one game"),
    Decided.LOT: _("drawing lots"),
    Decided.FINALS: _("the finals"),
    Decided.LEFT: _("players who left are ranked last"),
    Decided.NOTHING: _("nothing yet: they are tied, and lots must be drawn"),
    Source.TERMINAL: _("terminal"),
    Source.PAPER: _("paper"),
    Source.CARRIED: _("codes or USB drive"),
}
"""The English label of each member."""


_FOLDER = Path(__file__).parents[1] / "locale"


class Words:
    """The texts in one language, with untranslated ones in English."""

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else "en"
        catalogue = catalogues.translation("station", str(_FOLDER), [self.language], fallback=True)
        self.gettext: Callable[[str], str] = catalogue.gettext
        self.ngettext: Callable[[str, str, int], str] = catalogue.ngettext

    def label(self, member: Enum) -> str:
        """Return the label of an enum member. A sentence keeps its placeholders."""
        label = LABELS.get(member, str(member.value))
        # Gettext translates the empty string into the catalogue's header.
        return self.gettext(label) if label else ""

    def error(self, error: SaloonError) -> str:
        """Return the text of an error for a person on a page."""
        if isinstance(error, Refused):
            return self.refusal(error)
        if isinstance(error, DatabaseDamaged):
            return self.label(NotNow.DAMAGED)
        if isinstance(error, BadData):
            return self.gettext(error.where) + self.gettext(": ") + self.gettext(error.problem)
        if isinstance(error, Unavailable):
            return self.label(NotNow.STATION)
        return self.gettext(str(error))

    def refusal(self, refused: Refused) -> str:
        """Return the reason for a refusal as text."""
        fields = {name: self._field(value) for name, value in refused.fields.items()}
        return self.label(refused.reason).format(**fields)

    def _field(self, value: object) -> object:
        if isinstance(value, Enum):
            return self.label(value)
        return self.gettext(value) if isinstance(value, str) and value else value


words_in: Final = functools.cache(Words)
"""Returns the texts in a language, or in English if it is not supported."""


def language_of(cookie: str | None, accepted: str, otherwise: str = "en") -> str:
    """Return a person's language: their cookie's, or else the browser's first supported one."""
    codes = (part.split(";")[0].strip().lower()[:2] for part in accepted.split(","))
    return next((code for code in (cookie, *codes) if code in LANGUAGES), otherwise)
