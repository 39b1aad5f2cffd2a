"""The preferences of a terminal, such as language, volume and layout, and the file that stores them.

Data of games and tournaments are in the journal instead.
"""

import enum
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final

import msgspec

from base.errors import BadData
from base.languages import LANGUAGES
from base.state_file import StateFile
from core.terms import GameId, PlayerId, SeatNo, TournamentId
from kiosk.i18n import Words
from kiosk.touch import Correction

TurnSeconds = Annotated[int, msgspec.Meta(ge=0, le=600)]
Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]


class Theme(enum.Enum):
    """A colour scheme for a kind of lighting or eyesight."""

    DAY = "day"
    DIM = "dim"
    """Colours for a dim hall."""
    CONTRAST = "contrast"
    """Pure colours and large type, for weak eyesight."""


class Layout(enum.Enum):
    """The place of the terminal on the table."""

    RING = "ring"
    """Flat in the middle of the table: each panel faces its player."""
    KEEPER = "keeper"
    """Upright at one end of the table: nothing is turned."""


class Spoken(msgspec.Struct, frozen=True):
    """The language that a player has chosen, as a gettext code."""

    tournament: TournamentId
    player: PlayerId
    language: str


class Learner(msgspec.Struct, frozen=True):
    """A player who is new to BANG!, for one game. ``since``: turns that they had played when they said so."""

    game: GameId
    seat: SeatNo
    since: int = 0


LESSONS: Final = 4
"""The number of turns in which a new player's panel shows what to do."""
MOST_LEARNERS: Final = 10
MOST_SPOKEN: Final = 128
"""The number of players' choices that are kept; the oldest is dropped first."""


class Preferences(msgspec.Struct, frozen=True):
    """The preferences of a terminal. ``language`` is a gettext code, or empty for the one set at startup.

    turn_timer_s: seconds after which a turn counts as long, or 0 without a timer.
    spoken: languages by player rather than by seat, the latest choice last.
    learners: players who are new to BANG!, the latest last.
    lock_after_s: seconds without touches until the table locks, or 0 to never lock it.
    is_calm: nothing moves on the screen, and changes in a turn make no sound.
    """

    language: str = ""
    theme: Theme = Theme.DAY
    layout: Layout = Layout.RING
    brightness: Percent = 80
    volume: Percent = 60
    muted: bool = False
    turn_timer_s: TurnSeconds = 0
    spoken: tuple[Spoken, ...] = ()
    learners: tuple[Learner, ...] = ()
    touch: Correction | None = None
    lock_after_s: Annotated[int, msgspec.Meta(ge=0, le=3600)] = 0
    is_calm: bool = False

    def language_of(self, tournament: TournamentId, player: PlayerId) -> str:
        mine = (s.language for s in self.spoken if (s.tournament, s.player) == (tournament, player))
        return next(mine, "")

    def is_learning(self, game: GameId, seat: SeatNo, played: int) -> bool:
        """Return whether a player is still new after a number of turns."""
        mine = (new.since for new in self.learners if (new.game, new.seat) == (game, seat))
        return any(played < since + LESSONS for since in mine)

    def learning(self, learner: Learner) -> "Preferences":
        """Return a copy with a new player, or without if they are one already."""
        same = learner.game, learner.seat
        others = tuple(new for new in self.learners if (new.game, new.seat) != same)
        kept = others if self.is_learning(*same, learner.since) else (*others, learner)
        return msgspec.structs.replace(self, learners=kept[-MOST_LEARNERS:])

    def speaking(self, spoken: Spoken) -> "Preferences":
        """Return a copy with a player's choice; an empty language removes it."""
        same = spoken.tournament, spoken.player
        others = tuple(s for s in self.spoken if (s.tournament, s.player) != same)
        kept = (*others, spoken) if spoken.language else others
        return msgspec.structs.replace(self, spoken=kept[-MOST_SPOKEN:])


def preferences_bytes(preferences: Preferences) -> bytes:
    return msgspec.json.format(msgspec.json.encode(preferences)) + b"\n"


def preferences_of(content: bytes, where: str) -> Preferences:
    """Decode preferences, ignoring unknown keys. ``where`` is the file's name in errors. Raises BadData."""
    try:
        return msgspec.json.decode(content, type=Preferences)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadData(where, f"not a terminal's preferences: {error}") from error


_NAME = "preferences.json"


class PreferenceFile(StateFile[Preferences]):
    """The preferences in the data folder; if the file is missing or invalid, the defaults apply."""

    def __init__(self, data: Path) -> None:
        path = data / _NAME
        super().__init__(path, "preferences", lambda raw: preferences_of(raw, str(path)), preferences_bytes)

    def read(self) -> Preferences:
        return super().read() or Preferences()


class Choices:
    """The current preferences. ``keep`` is called to store new ones. ``language`` is the default language."""

    def __init__(
        self,
        language: str,
        before: Preferences = Preferences(),  # noqa: B008 (a constant)
        keep: Callable[[Preferences], None] = lambda _preferences: None,
    ) -> None:
        self._usual = language
        self._keep = keep
        self.preferences = before
        self.words = Words(self._language())

    def prefer(self, preferences: Preferences) -> None:
        """Replace the preferences and save them."""
        self.preferences = preferences
        self._keep(preferences)
        if self._language() != self.words.language:
            self.words = Words(self._language())

    @property
    def volume(self) -> int:
        return 0 if self.preferences.muted else self.preferences.volume

    def _language(self) -> str:
        chosen = self.preferences.language
        return chosen if chosen in LANGUAGES else self._usual
