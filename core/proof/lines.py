"""The lines of a proof pack, the published ranking among them, and the digest that binds them."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

import msgspec

from saloon.core.editions.edition import TieBreak
from saloon.core.entry_chain import GENESIS, chained_hash
from saloon.core.game.events import GameStep
from saloon.core.rule_set import RuleSet
from saloon.core.terms import Dollars, GameId, PlayerId, TournamentId
from saloon.core.tournament.events import TournamentStep
from saloon.core.tournament.standings.standings import Standings, tied_rows
from saloon.core.tournament.standings.tie_breaks import Value


class PublishedKey(msgspec.Struct, frozen=True):
    """A tie-break and its exact value as "a/b"; None for a player who has no value."""

    key: TieBreak
    value: str | None


class PublishedRow(msgspec.Struct, frozen=True):
    """A player's row. first, last: the places of the rank, None for one who left. lot: from 1."""

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


def published_rows(found: Standings) -> tuple[PublishedRow, ...]:
    """Return the rows of standings, in their order; tied players by their numbers, as in older packs."""
    return tuple(
        PublishedRow(
            player=row.player,
            first=None if row.rank is None else row.rank.first,
            last=None if row.rank is None else row.rank.last,
            score=row.score,
            keys=tuple(PublishedKey(key.key, _as_fraction_text(key.value)) for key in row.keys),
            games=row.games,
            lot=row.lot,
            bonus=row.bonus,
            prize=row.prize,
            final_score=row.final_score,
        )
        for tie in tied_rows(found)
        for row in sorted(tie, key=lambda row: row.player)
    )


def _as_fraction_text(value: Value) -> str | None:
    return f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else None


VERSION = 2
"""Of the format that is written, and the only one that is read."""


class _Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    line: int = 0


class PackHead(_Line, frozen=True, kw_only=True, tag="saloon-export"):
    """The first line. rules: as the tournament was opened with, a house's own text included."""

    version: int
    tournament: TournamentId
    name: str
    rules: RuleSet


class _EntryLine(_Line, frozen=True, kw_only=True):
    """An entry of a stream as its writer made it.

    raw: the bytes of the entry, in base64. hash: of the chain of its stream and epoch after it, hex.
    wall_ms: the writer's clock, milliseconds since 1970, for people; it and the step are in raw too.
    """

    stream: str
    epoch: str
    seq: int
    hash: str
    raw: bytes
    wall_ms: int


class StationLine(_EntryLine, frozen=True, kw_only=True, tag="tournament-step"):
    """A step of the tournament, written by the station."""

    step: TournamentStep


class TerminalLine(_EntryLine, frozen=True, kw_only=True, tag="game-step"):
    """A step that a terminal reported.

    apart: true where the station never gave the game to this terminal, so that the step does not count;
    left out otherwise.
    """

    step: GameStep
    apart: bool | msgspec.UnsetType = msgspec.UNSET

    @property
    def counts(self) -> bool:
        """Return whether the terminal had been given the game."""
        return self.apart is not True


class LeftOut(_Line, frozen=True, kw_only=True, tag="left-out"):
    """Entries of a stream that are no matter of this tournament: from first to seq, both included.

    hash: of the chain after the last of them, hex.
    """

    stream: str
    epoch: str
    first: int
    seq: int
    hash: str


class WinningsLine(_Line, frozen=True, kw_only=True, tag="winnings"):
    """The winnings of an accepted record sheet according to the station, by seat."""

    game: GameId
    winnings: tuple[Dollars, ...]


class StandingsLine(_Line, frozen=True, kw_only=True, tag="standings"):
    """The standings as the station shows them. public: the ranking was published."""

    public: bool
    rows: tuple[PublishedRow, ...]


class Foot(_Line, frozen=True, kw_only=True, tag="foot"):
    """The last line. lines: of the whole file, head and foot included."""

    lines: int


Line = PackHead | StationLine | TerminalLine | LeftOut | WinningsLine | StandingsLine | Foot

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)
_BEFORE = b',"chain":"'
_AFTER = b'"}'
_DIGITS = 64
_TAIL = len(_BEFORE) + _DIGITS + len(_AFTER)


class BoundLine(msgspec.Struct, frozen=True):
    """A line's bytes, taken apart. bound: those that the digest is made of. intact: both marks stand there.

    digest: None if no 64 hex digits stand in its place.
    """

    bound: bytes
    digest: bytes | None
    intact: bool


def write_pack(lines: Iterable[Line]) -> Iterator[bytes]:
    """Yield the bytes of a pack, line by line: numbered from 1, each with its digest, then a foot."""
    previous, number = GENESIS, 0
    for number, line in enumerate(lines, start=1):
        text, previous = _bind(line, number, previous)
        yield text
    foot, _ = _bind(Foot(lines=number + 1), number + 1, previous)
    yield foot


def _bind(line: Line, number: int, previous: bytes) -> tuple[bytes, bytes]:
    bound = _encoder.encode(msgspec.structs.replace(line, line=number))[:-1]
    digest = chained_hash(previous, bound)
    return bound + _BEFORE + digest.hex().encode() + _AFTER + b"\n", digest


def split_line(text: bytes) -> BoundLine:
    """Return a line without its line feed as what is bound, and the digest."""
    tail = text[-_TAIL:]
    digits = tail[len(_BEFORE) : -len(_AFTER)]
    return BoundLine(
        bound=text[:-_TAIL],
        digest=_digest(digits),
        intact=tail.startswith(_BEFORE) and tail.endswith(_AFTER) and len(text) > _TAIL,
    )


def _digest(digits: bytes) -> bytes | None:
    try:
        digest = bytes.fromhex(digits.decode("ascii"))
    except ValueError:
        return None
    # Capital letters and blanks would be read as well, and would be other bytes.
    return digest if digest.hex().encode() == digits and len(digits) == _DIGITS else None


def decode_line(bound: bytes) -> Line:
    """Return what the bound bytes say. Raises ``msgspec.DecodeError`` for what is no line of a pack."""
    return _decoder.decode(bound + b"}")
