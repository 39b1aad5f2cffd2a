"""Games that were played card by card by a simulator that shares nothing with Saloon: what their files say.

``README.md`` beside this file describes the format. Everything here is the simulator's word; nothing of it
comes from the core.
"""

import gzip
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, get_args

import msgspec

GAMES: Final = Path(__file__).parent / "games"

Hits = tuple[tuple[int, int], ...]
Rescues = tuple[tuple[int, str, int], ...]
Outs = tuple[tuple[int, int | None, str], ...]


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class SeatedAt(_Line, frozen=True):
    """A player. life: points at the start, with the Sheriff's extra one."""

    seat: int
    character: str
    role: str
    life: int


class TurnBegins(_Line, frozen=True):
    """A turn begins. n: counts all turns, skipped ones too."""

    turn: int
    n: int
    after_revolution: bool = False


class TurnEnds(_Line, frozen=True):
    """A turn is over. life: points of all seats."""

    end_turn: int
    life: tuple[int, ...]


class HeldByJail(_Line, frozen=True):
    """Jail holds the player whose turn it is."""

    jail_skip: int


class PassedAsPassive(_Line, frozen=True):
    """A player who has left skips the turn."""

    passive_skip: int


class Effect(_Line, frozen=True):
    """The effect of one card. hits, rescues, out: in the order in which they came."""

    effect: int
    card: str
    by: int | None
    hits: Hits
    rescues: Rescues
    out: Outs


class NoonTakes(_Line, frozen=True):
    """High Noon takes its point at the start of a turn."""

    high_noon_loss: int
    hits: Hits
    rescues: Rescues
    out: Outs


class Heals(_Line, frozen=True):
    """Players gain life points."""

    heals: Hits
    card: str
    by: int


class Reshuffled(_Line, frozen=True):
    """The discard pile became a new deck. phase: for which card it was needed."""

    reshuffle: int
    in_turn_of: int
    phase: str


class Warned(_Line, frozen=True):
    """The judge warned a player."""

    warning: int


class Left(_Line, frozen=True):
    """A player left the table."""

    leave: int


class Ejected(_Line, frozen=True):
    """The judge ejected a player."""

    eject: int
    after_second_warning: bool = False


class RebelShows(_Line, frozen=True):
    """The Rebel! shows the role."""

    rebel_shows: int


class Revolts(_Line, frozen=True):
    """The Rebel! takes the star of the old Sheriff."""

    revolution: int
    old_sheriff: int


class Reward(_Line, frozen=True):
    """Somebody is rewarded for an Outlaw."""

    reward: int
    for_seat: int
    cards: int = 0
    dollars: int = 0


class SheriffDiscards(_Line, frozen=True):
    """The Sheriff eliminated a Deputy, and discards all cards."""

    sheriff_discards_all: int


class Ends(_Line, frozen=True):
    """The game is over."""

    ending: str
    winner: str | None


Happened = (
    TurnBegins | TurnEnds | HeldByJail | PassedAsPassive | Effect | NoonTakes | Heals | Reshuffled | Warned
    | Left | Ejected | RebelShows | Revolts | Reward | SheriffDiscards | Ends
)  # fmt: skip
_KINDS: Final[Mapping[str, type[Happened]]] = {kind.__struct_fields__[0]: kind for kind in get_args(Happened)}
"""By the key that only lines of this kind have."""


class Reading(msgspec.Struct, frozen=True):
    """A point that the documents leave open in this game; more fields may say what another reading gives."""

    point: str
    about: str


class Alternative(_Line, frozen=True):
    """Dollars by seat under another reading."""

    reading: str
    dollars: tuple[int, ...]


class Noon(_Line, frozen=True):
    """The turn in which High Noon begins, and whose it is."""

    turn_index: int
    seat: int


class RevolutionMade(_Line, frozen=True):
    """The Rebel! who became Sheriff, the one before, and the turn."""

    seat: int
    old_sheriff: int
    turn_index: int


class Truth(_Line, frozen=True):
    """The end of the game. eliminations: seat, killer, cause and turn, in order."""

    ending: str
    winner: str | None
    renegade_winner: int | None
    dollars: tuple[int, ...]
    alive: tuple[bool, ...]
    final_duel: int | None
    turns_played: tuple[int, ...]
    turns_begun: tuple[int, ...]
    turns_in_jail: tuple[int, ...]
    turns: int
    reshuffles: int
    high_noon_armed_in_turn: int | None
    high_noon: Noon | None
    eliminations: tuple[tuple[int, int | None, str, int], ...]
    deputies_who_killed_a_sheriff: tuple[int, ...]
    outlaws_killed_by: tuple[int, ...]
    revolution: RevolutionMade | None
    dead_before_revolution: tuple[int, ...]
    readings: tuple[Reading, ...]
    dollars_alternatives: tuple[Alternative, ...]


class _Frame(_Line, frozen=True):
    edition: str
    options: tuple[str, ...]
    players: int
    seed: int
    game: int
    seats: tuple[SeatedAt, ...]
    truth: Truth


class CardGame(_Frame, frozen=True):
    """One whole game."""

    happenings: tuple[Happened, ...]

    @property
    def name(self) -> str:
        return f"{'+'.join((self.edition, *self.options))}-{self.players} seed {self.seed} game {self.game}"

    @property
    def open_points(self) -> frozenset[str]:
        return frozenset(reading.point for reading in self.truth.readings)


def read_games(file: Path) -> Iterator[CardGame]:
    """Read the games of one file. Raise ValidationError, or KeyError, for what is not in the format."""
    with gzip.open(file) as lines:
        for line in lines:
            read: dict[str, Any] = msgspec.json.decode(line)
            happened = tuple(_happened(one) for one in read.pop("happenings"))
            frame = msgspec.convert(read, _Frame)
            yield CardGame(**msgspec.structs.asdict(frame), happenings=happened)


def _happened(line: dict[str, object]) -> Happened:
    kind = next(_KINDS[key] for key in line if key in _KINDS)
    return msgspec.convert(line, kind)


def files(folder: Path = GAMES) -> list[Path]:
    return sorted(folder.glob("*.jsonl.gz"))
