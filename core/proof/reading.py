"""Reading a proof pack line by line, and detecting every alteration."""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from base.errors import OurFault
from core.entry_chain import GENESIS, chained_hash, content_of
from core.game.events import GameStep
from core.proof.lines import (
    VERSION,
    Foot,
    LeftOut,
    Line,
    PackHead,
    StandingsLine,
    StationLine,
    TerminalLine,
    WinningsLine,
    decode_line,
    parse_digest,
    split_line,
)
from core.tournament.decisions import TournamentStep

IMPOSSIBLE: tuple[type[Exception], ...] = (ValueError, LookupError, AssertionError, StopIteration, OurFault)
"""Errors that impossible input causes; to be caught only around computations on other people's files."""


class ChainChecker:
    """Checks one hash chain. It reports an altered link once, as the next may build on either hash."""

    def __init__(self) -> None:
        self._stored = self._computed = GENESIS

    def follows(self, raw: bytes, stored: bytes | None) -> bool:
        """Return whether the next link's bytes match its stored hash, which is None if unreadable."""
        allowed = {chained_hash(self._stored, raw), chained_hash(self._computed, raw)}
        self._computed = chained_hash(self._stored, raw)
        if stored in allowed:
            self._computed = stored
        self._stored = self._computed if stored is None else stored
        return stored in allowed

    def skips_to(self, stored: bytes) -> None:
        self._stored = self._computed = stored


class PackFault(msgspec.Struct, frozen=True):
    """A fault with its line, from 1, or None for the file as a whole."""

    line: int | None
    problem: str

    def __str__(self) -> str:
        return self.problem if self.line is None else f"line {self.line}: {self.problem}"


class Pack(msgspec.Struct, frozen=True):
    """A pack that was read. digest: the digest of the last line (hex), which covers the whole file."""

    head: PackHead | None
    station: tuple[StationLine, ...]
    terminals: tuple[TerminalLine, ...]
    winnings: tuple[WinningsLine, ...]
    standings: StandingsLine | None
    count: int
    digest: str
    faults: tuple[PackFault, ...]


class _Reader:
    def __init__(self) -> None:
        self.chain = ChainChecker()
        self.number = 0
        self.expected = 1
        self.digest = b""
        self.lines: list[Line] = []
        self.streams: dict[tuple[str, str], _Stream] = {}

    def read(self, text: bytes) -> Iterator[PackFault]:
        self.number += 1
        whole = text.removesuffix(b"\n")
        if whole == text:
            yield self._fault("it has no line feed at its end: the file was cut off")
        if whole.endswith(b"\r"):
            yield self._fault("it ends with a carriage return: some program changed the line ends")
            whole = whole[:-1]
        parts = split_line(whole)
        holds = self.chain.follows(parts.bound, parts.digest)
        self.digest = parts.digest or b""
        try:
            content = decode_line(parts.bound)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            yield self._fault(_unreadable(whole, str(error)))
            self.expected += 1
            return
        if not parts.intact or parts.digest is None:
            yield self._fault('it does not end with "chain" and 64 hex digits in small letters')
        elif content.line == self.expected and not holds:
            yield self._fault("it was changed after it was written: its bytes do not give its digest")
        yield from self._out_of_order(content.line, holds=holds)
        yield from self._find_misplaced(content)
        placed = replace(content, line=self.number)
        if isinstance(placed, StationLine | TerminalLine | LeftOut):
            stream = self.streams.setdefault((placed.stream, placed.epoch), _Stream())
            yield from stream.faults(placed)
        self.lines.append(placed)

    def _out_of_order(self, claimed: int, *, holds: bool) -> Iterator[PackFault]:
        expected, self.expected = self.expected, claimed + 1
        if claimed == expected:
            return
        if claimed > expected:
            missing = f"line {expected}" if claimed == expected + 1 else f"lines {expected} to {claimed - 1}"
            said = f"{missing} should stand before it"
        else:
            said = "it stands twice, or in the wrong place"
        yield self._fault(f"it was written as line {claimed}; {said}")
        if holds:
            yield self._fault("the digests were made for this order")

    def _find_misplaced(self, content: Line) -> Iterator[PackFault]:
        if isinstance(content, PackHead) is not (self.number == 1):
            yield self._fault(
                "a second head" if self.number > 1 else 'the first line must be {"kind":"saloon-export",…}'
            )
        if isinstance(content, PackHead) and content.version != VERSION:
            yield self._fault(f"version {content.version} is unknown; this program reads {VERSION}")
        if self.lines and isinstance(self.lines[-1], Foot):
            yield self._fault("it stands behind the foot, where the file ends")
        if isinstance(content, Foot) and content.lines != content.line:
            yield self._fault(f"the foot counts {content.lines} lines and is line {content.line}")

    def _fault(self, problem: str) -> PackFault:
        return PackFault(self.number, problem)


class _Stream:
    def __init__(self) -> None:
        self._chain = ChainChecker()
        self._seq = 0

    def faults(self, line: StationLine | TerminalLine | LeftOut) -> Iterator[PackFault]:
        first = line.first if isinstance(line, LeftOut) else line.seq
        if first != self._seq + 1 or line.seq < first:
            yield PackFault(
                line.line, f"{line.stream}: entry {first} follows entry {self._seq}; none may be missing"
            )
        self._seq = line.seq
        stored = parse_digest(line.hash)
        if stored is None:
            yield PackFault(line.line, f"{line.stream}, entry {line.seq}: its hash is not 64 hex digits")
        if isinstance(line, LeftOut):
            self._chain.skips_to(stored or b"")
            return
        if not self._chain.follows(line.raw, stored) and stored is not None:
            yield PackFault(
                line.line,
                f"{line.stream}, entry {line.seq}: its bytes do not give its hash in its writer's chain",
            )
        yield from _disagreement(line)


def read_pack(lines: Iterable[bytes]) -> Pack:
    """Return a pack from the lines of a file, with line feeds. Faults are collected in ``faults``."""
    reader = _Reader()
    faults = [fault for line in lines for fault in reader.read(line)]
    if reader.number == 0:
        faults.append(PackFault(None, "the file is empty"))
    elif not any(isinstance(line, Foot) for line in reader.lines):
        faults.append(PackFault(reader.number, "the file ends here, without its foot: lines are missing"))
    records = reader.lines
    return Pack(
        head=next((line for line in records if isinstance(line, PackHead)), None),
        station=tuple(line for line in records if isinstance(line, StationLine)),
        terminals=tuple(line for line in records if isinstance(line, TerminalLine)),
        winnings=tuple(line for line in records if isinstance(line, WinningsLine)),
        standings=next((line for line in records if isinstance(line, StandingsLine)), None),
        count=reader.number,
        digest=reader.digest.hex(),
        faults=tuple(faults),
    )


def _unreadable(whole: bytes, problem: str) -> str:
    if whole.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        return "a byte order mark stands before it; the file must be UTF-8 as it was written"
    if not whole.strip():
        return "an empty line"
    try:
        whole.decode()
    except UnicodeDecodeError as error:
        return f"it is not UTF-8 text (byte {error.start} of the line)"
    return f"it cannot be read: {problem.replace('`', '')}"


_tournament_step = msgspec.msgpack.Decoder(TournamentStep)
_game_step = msgspec.msgpack.Decoder(GameStep)


def _disagreement(line: StationLine | TerminalLine) -> Iterator[PackFault]:
    decoder = _tournament_step if isinstance(line, StationLine) else _game_step
    try:
        content = content_of(line.raw)
        step = decoder.decode(content.body)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        yield PackFault(line.line, f"{line.stream}, entry {line.seq}: its bytes are not a step: {error}")
        return
    if step != line.step:
        yield PackFault(line.line, f"{line.stream}, entry {line.seq}: its step is not the one in its bytes")
    if content.clock.wall_ms != line.wall_ms:
        yield PackFault(line.line, f"{line.stream}, entry {line.seq}: wall_ms is not the one in its bytes")
