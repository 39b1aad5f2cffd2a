"""The preferences chosen at a terminal: language, light, volume, layout. They survive a restart.

Never what the game or the tournament is about: that is in the journal.
"""

import enum
from typing import Annotated, Final

import msgspec

from saloon.base.errors import BadData
from saloon.core.terms import PlayerId, TournamentId
from saloon.kiosk.touch_correction import Correction

TurnSeconds = Annotated[int, msgspec.Meta(ge=0, le=600)]
Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]


class Theme(enum.Enum):
    """For which light, or which eyes, the picture is made."""

    DAY = "day"
    DIM = "dim"
    """A dim hall."""
    CONTRAST = "contrast"
    """Eyes that need it: pure colours, large type."""


class Layout(enum.Enum):
    """The position of the terminal on the table."""

    RING = "ring"
    """Flat in the middle of the table: each panel is turned to its player."""
    KEEPER = "keeper"
    """Upright at one end of the table: everything is upright."""


class Spoken(msgspec.Struct, frozen=True):
    """The language that a player of a tournament chose for their own panel; a gettext code."""

    tournament: TournamentId
    player: PlayerId
    language: str


MOST_SPOKEN: Final = 128
"""Number of players whose languages are kept; the oldest choices are forgotten."""


class Preferences(msgspec.Struct, frozen=True):
    """The preferences of a terminal. language: a gettext code, empty for the one it was started with.

    brightness, volume: in percent of what the parts can do. spoken: by player, so that a language never
    stays on a chair; the last chosen at the end. touch: the touch calibration.
    lock_after_s: of quiet, after which a table locks automatically; 0 for never.
    turn_timer_s: from when on a turn is long; 0 for no timer.
    """

    language: str = ""
    theme: Theme = Theme.DAY
    layout: Layout = Layout.RING
    brightness: Percent = 80
    volume: Percent = 60
    muted: bool = False
    turn_timer_s: TurnSeconds = 0
    spoken: tuple[Spoken, ...] = ()
    touch: Correction | None = None
    lock_after_s: Annotated[int, msgspec.Meta(ge=0, le=3600)] = 0

    def language_of(self, tournament: TournamentId, player: PlayerId) -> str:
        """Return the language that a player chose; empty for the table's."""
        mine = (s.language for s in self.spoken if (s.tournament, s.player) == (tournament, player))
        return next(mine, "")

    def speaking(self, spoken: Spoken) -> "Preferences":
        """Return the preferences with a player's choice; a language of "" removes it."""
        same = spoken.tournament, spoken.player
        others = tuple(s for s in self.spoken if (s.tournament, s.player) != same)
        kept = (*others, spoken) if spoken.language else others
        return msgspec.structs.replace(self, spoken=kept[-MOST_SPOKEN:])


def preferences_bytes(preferences: Preferences) -> bytes:
    """Encode the preferences as JSON that people can read."""
    return msgspec.json.format(msgspec.json.encode(preferences)) + b"\n"


def preferences_of(content: bytes, where: str) -> Preferences:
    """Decode a file; keys of a newer version are left out. Raises BadData naming ``where`` and the key."""
    try:
        return msgspec.json.decode(content, type=Preferences)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadData(where, f"no preferences of a terminal: {error}") from error
