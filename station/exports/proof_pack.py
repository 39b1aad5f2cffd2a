"""Export a tournament as a proof pack with all entries, for anybody to verify (docs/reference/export.md)."""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from core.editions.loader import rules_of
from core.entry_chain import content_of
from core.game.ending.winnings import winnings
from core.game.events import GameStep
from core.proof.lines import (
    VERSION,
    LeftOut,
    Line,
    PackHead,
    StandingsLine,
    StationLine,
    TerminalLine,
    WinningsLine,
    published_rows,
    split_line,
    write_pack,
)
from core.terms import TournamentId
from core.tournament.decisions import TournamentStep
from core.tournament.standings.standings import standings_of
from core.tournament.state.tournament import Stage, TournamentState
from station.projections.game_logs import GameTrack
from station.projections.projections import Projections, tournament_stream
from station.store.store import Store
from sync.protocol.entry import Entry, Epoch, StreamId
from sync.station.hub import table_stream

_tournament_step = msgspec.msgpack.Decoder(TournamentStep)
_game_step = msgspec.msgpack.Decoder(GameStep)
_PIECE = 64 * 1024
_Wanted = Mapping[tuple[StreamId, Epoch], set[int]]


def export(projections: Projections, store: Store, tournament: TournamentId) -> Iterator[bytes]:
    """Yield the current proof pack of a tournament, line by line. Raises KeyError for an unknown one.

    The entries are selected at once, but read from the store as lines are consumed, which blocks, may happen
    on any thread and may raise Unavailable.
    """
    state = projections.tournaments[tournament].state
    apart = frozenset(
        (table_stream(track.terminal), track.epoch, step.seq)
        for track in _apart(projections, tournament)
        for step in track.steps
    )
    lines = _lines(state, _of_station(projections, tournament), _of_terminals(projections, tournament), store)
    return write_pack(_mark_uncounted(line, apart) for line in lines)


def _mark_uncounted(line: Line, apart: frozenset[tuple[StreamId, Epoch, int]]) -> Line:
    """Mark a line as not counting if its terminal was never given the game."""
    if isinstance(line, TerminalLine) and (line.stream, line.epoch, line.seq) in apart:
        return msgspec.structs.replace(line, apart=True)
    return line


def _lines(state: TournamentState, own: _Wanted, reported: _Wanted, store: Store) -> Iterator[Line]:
    yield PackHead(version=VERSION, tournament=state.tournament, name=state.name, rules=state.rules)
    for key, wanted in own.items():
        yield from _entry_lines(store, key, wanted)
    for key in sorted(reported):
        yield from _entry_lines(store, key, reported[key])
    edition = rules_of(state.rules)
    for drawn in state.published_rounds:
        for sheet in drawn.sheets:
            yield WinningsLine(game=sheet.game, winnings=winnings(sheet.result, edition))
    rows = published_rows(standings_of(state, edition))
    yield StandingsLine(public=state.stage is Stage.PUBLISHED, rows=rows)


def _of_station(projections: Projections, tournament: TournamentId) -> _Wanted:
    """Return the tournament's own entries by epoch, oldest first; each restore starts a new epoch."""
    stream = tournament_stream(tournament)
    wanted: dict[tuple[StreamId, Epoch], set[int]] = {}
    for epoch, seq in projections.tournaments[tournament].entries:
        wanted.setdefault((stream, epoch), set()).add(seq)
    return wanted


def _of_terminals(projections: Projections, tournament: TournamentId) -> _Wanted:
    """Return the entries with steps of the tournament's games, including those that do not count."""
    wanted: dict[tuple[StreamId, Epoch], set[int]] = {}
    for track in (*_tracks_of(projections, tournament), *_apart(projections, tournament)):
        key = (table_stream(track.terminal), track.epoch)
        wanted.setdefault(key, set()).update(step.seq for step in track.steps)
    return wanted


def _tracks_of(projections: Projections, tournament: TournamentId) -> Iterator[GameTrack]:
    """Yield the logs of games that were drawn in a tournament, or only reported for it."""
    for game in projections.games:
        drawn = projections.drawn.get(game)
        if drawn is not None and drawn.tournament != tournament:
            continue
        for track in projections.games[game]:
            if track.state is not None and (drawn is not None or track.state.tournament == tournament):
                yield track


def _apart(projections: Projections, tournament: TournamentId) -> Iterator[GameTrack]:
    for game, tracks in projections.apart.items():
        drawn = projections.drawn.get(game)
        if drawn is not None and drawn.tournament == tournament:
            yield from tracks


def _entry_lines(store: Store, key: tuple[StreamId, Epoch], wanted: set[int]) -> Iterator[Line]:
    """Yield a stream's selected entries, and for each gap the hash from which its chain continues."""
    gap: LeftOut | None = None
    for entry in store.entries_of(*key, max(wanted)):
        if entry.seq in wanted:
            if gap is not None:
                yield gap
                gap = None
            yield _entry_line(entry)
        else:
            first = entry.seq if gap is None else gap.first
            gap = LeftOut(
                stream=entry.stream, epoch=entry.epoch, first=first, seq=entry.seq, hash=entry.hash.hex()
            )


def _entry_line(entry: Entry) -> StationLine | TerminalLine:
    content = content_of(entry.raw)
    if entry.stream.startswith("table/"):
        return TerminalLine(
            stream=entry.stream,
            epoch=entry.epoch,
            seq=entry.seq,
            hash=entry.hash.hex(),
            raw=entry.raw,
            wall_ms=content.clock.wall_ms,
            step=_game_step.decode(content.body),
        )
    return StationLine(
        stream=entry.stream,
        epoch=entry.epoch,
        seq=entry.seq,
        hash=entry.hash.hex(),
        raw=entry.raw,
        wall_ms=content.clock.wall_ms,
        step=_tournament_step.decode(content.body),
    )


def pieces(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Join lines into larger pieces, as each piece sent has a cost."""
    held: list[bytes] = []
    size = 0
    for line in lines:
        held.append(line)
        size += len(line)
        if size >= _PIECE:
            yield b"".join(held)
            held, size = [], 0
    yield b"".join(held)


class CountedLines:
    """An iterator that counts a pack's lines.

    lines: number so far.
    digest: the last line's digest, hex.
    """

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._rest = iter(lines)
        self.lines = 0
        self.digest = ""

    def __iter__(self) -> "CountedLines":
        return self

    def read_all(self) -> None:
        """Consume all lines and discard them."""
        for _ in self:
            pass

    def __next__(self) -> bytes:
        text = next(self._rest)
        digest = split_line(text.removesuffix(b"\n")).digest
        self.digest = "" if digest is None else digest.hex()
        self.lines += 1
        return text
