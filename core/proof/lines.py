"""The lines of a proof pack, including the published ranking, and the digest that chains them."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from core.editions.edition import TieBreak
from core.entry_chain import GENESIS, chained_hash
from core.game.events import GameStep
from core.rule_set import RuleSet
from core.terms import Dollars, GameId, PlayerId, TournamentId
from core.tournament.decisions import TournamentStep
from core.tournament.prizes import Award
from core.tournament.standings.standings import Standings, tied_rows
from core.tournament.standings.tie_breaks import Value


class PublishedKey(msgspec.Struct, frozen=True):
    """A tie-break with its exact value as "a/b", or None for a player without one."""

    key: TieBreak
    value: str | None


class PublishedRow(msgspec.Struct, frozen=True):
    """A player's row. first, last: the shared places, None for a player who left. lot: None without one."""

    player: PlayerId
    first: int | None
    last: int | None
    score: Dollars
    keys: tuple[PublishedKey, ...]
    games: int
    lot: int | None
    bonus: Dollars
    prize: Dollars
    final_score: Dollars


def published_rows(standings: Standings) -> tuple[PublishedRow, ...]:
    """Return the rows of standings, best first; tied players by id, as in older packs."""
    return tuple(
        PublishedRow(
            player=row.player,
            first=None if row.rank is None else row.rank.first,
            last=None if row.rank is None else row.rank.last,
            score=row.score,
            keys=tuple(PublishedKey(key.key, fraction_text(key.value)) for key in row.keys),
            games=row.games,
            lot=row.lot,
            bonus=row.bonus,
            prize=row.prize,
            final_score=row.final_score,
        )
        for tie in tied_rows(standings)
        for row in sorted(tie, key=lambda row: row.player)
    )


def fraction_text(value: Value | None) -> str | None:
    return f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else None


class PublishedWinner(msgspec.Struct, frozen=True):
    """A winner of a prize: a player, or a club with the players whose figures count."""

    place: int
    figure: int
    players: tuple[PlayerId, ...]
    club: str = ""


class PublishedPrize(msgspec.Struct, frozen=True):
    """A prize by its name, with its winners."""

    name: str
    winners: tuple[PublishedWinner, ...]


def published_prizes(awards: Iterable[Award]) -> tuple[PublishedPrize, ...]:
    """Return the winners of prizes, in the organiser's order."""
    return tuple(
        PublishedPrize(
            award.prize.name,
            tuple(
                PublishedWinner(one.place, one.figure, tuple(each.player for each in one.counted), one.club)
                for one in award.winners
                if one.place is not None
            ),
        )
        for award in awards
    )


VERSION = 2
"""The format version written, and the only one that can be read."""


class _Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    line: int = 0


class PackHead(_Line, frozen=True, kw_only=True, tag="saloon-export"):
    """The first line. rules: as they were at the opening, including the text of house rules."""

    version: int
    tournament: TournamentId
    name: str
    rules: RuleSet


class _EntryLine(_Line, frozen=True, kw_only=True):
    """An entry of a stream, as written.

    raw: the entry's bytes, in base64.
    hash: the chained hash of its stream and epoch up to here, in hex.
    wall_ms: the writer's clock, milliseconds since 1970, for display; like the step, it is also in raw.
    """

    stream: str
    epoch: str
    seq: int
    hash: str
    raw: bytes
    wall_ms: int


class StationLine(_EntryLine, frozen=True, kw_only=True, tag="tournament-step"):
    """A step of the tournament, recorded by the station."""

    step: TournamentStep


class TerminalLine(_EntryLine, frozen=True, kw_only=True, tag="game-step"):
    """A step recorded by a terminal. apart: the game was never assigned to it, so the step does not count."""

    step: GameStep
    apart: bool | msgspec.UnsetType = msgspec.UNSET

    @property
    def counts(self) -> bool:
        return self.apart is not True


class LeftOut(_Line, frozen=True, kw_only=True, tag="left-out"):
    """A stream's entries from first to seq, left out because they don't concern this tournament.

    hash: the chained hash up to and including entry seq, in hex.
    """

    stream: str
    epoch: str
    first: int
    seq: int
    hash: str


class WinningsLine(_Line, frozen=True, kw_only=True, tag="winnings"):
    """The winnings on an accepted record sheet as computed by the station, by seat."""

    game: GameId
    winnings: tuple[Dollars, ...]


class StandingsLine(_Line, frozen=True, kw_only=True, tag="standings"):
    """The standings as computed by the station. public: the ranking was published, with any prizes."""

    public: bool
    rows: tuple[PublishedRow, ...]
    prizes: tuple[PublishedPrize, ...] | msgspec.UnsetType = msgspec.UNSET


class Foot(_Line, frozen=True, kw_only=True, tag="foot"):
    """The last line. lines: the number of lines, including head and foot."""

    lines: int


Line = PackHead | StationLine | TerminalLine | LeftOut | WinningsLine | StandingsLine | Foot

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)
_BEFORE = b',"chain":"'
_AFTER = b'"}'
_DIGITS = 64
_TAIL = len(_BEFORE) + _DIGITS + len(_AFTER)


class BoundLine(msgspec.Struct, frozen=True):
    """A line split into the bytes covered by the digest, and the digest. intact: both markers are present."""

    bound: bytes
    digest: bytes | None
    intact: bool


def write_pack(lines: Iterable[Line]) -> Iterator[bytes]:
    """Yield the lines of a pack: numbered from 1, each with its digest, then a foot."""
    previous, number = GENESIS, 0
    for number, line in enumerate(lines, start=1):
        text, previous = _bind(line, number, previous)
        yield text
    foot, _ = _bind(Foot(lines=number + 1), number + 1, previous)
    yield foot


def _bind(line: Line, number: int, previous: bytes) -> tuple[bytes, bytes]:
    bound = _encoder.encode(replace(line, line=number))[:-1]
    digest = chained_hash(previous, bound)
    return bound + _BEFORE + digest.hex().encode() + _AFTER + b"\n", digest


def split_line(text: bytes) -> BoundLine:
    """Split a line (without its line feed) into the bytes covered by the digest, and the digest."""
    tail = text[-_TAIL:]
    return BoundLine(
        bound=text[:-_TAIL],
        digest=parse_digest(tail[len(_BEFORE) : -len(_AFTER)].decode("latin-1")),
        intact=tail.startswith(_BEFORE) and tail.endswith(_AFTER) and len(text) > _TAIL,
    )


def parse_digest(digits: str) -> bytes | None:
    """Return the bytes of 64 hex digits, or None for any other text."""
    try:
        digest = bytes.fromhex(digits)
    except ValueError:
        return None
    # Upper case and spaces would also parse, but are different bytes.
    return digest if digest.hex() == digits and len(digits) == _DIGITS else None


def decode_line(bound: bytes) -> Line:
    """Decode the bytes of a line. Raises ``msgspec.DecodeError`` for an invalid one."""
    return _decoder.decode(bound + b"}")
