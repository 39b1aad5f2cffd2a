"""Exports of a tournament: a proof pack that anybody can verify, and tables for spreadsheets and programs.

A proof pack contains all entries (docs/reference/export.md). Tables are CSV or a workbook.
"""

import csv
import enum
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from core.editions.edition import Edition
from core.editions.loader import rules_of
from core.entry_chain import content_of
from core.game.ending.record_sheet import record_sheet
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
    published_prizes,
    published_rows,
    split_line,
    write_pack,
)
from core.terms import TournamentId
from core.text.ejections import ejections
from core.tournament.decisions import TournamentStep
from core.tournament.prizes import awards_of
from core.tournament.standings.standings import standings_of
from core.tournament.state.tournament import Stage, TournamentState
from station.accounts.permissions import Permission
from station.projections.game_logs import GameTrack
from station.projections.projections import Projections
from station.projections.tournament_logs import tournament_stream
from station.store.store import Store
from sync.protocol.entry import Entry, Epoch, StreamId, table_stream

_tournament_step = msgspec.msgpack.Decoder(TournamentStep)
_game_step = msgspec.msgpack.Decoder(GameStep)
_PIECE = 64 * 1024
_Wanted = Mapping[tuple[StreamId, Epoch], set[int]]
Cell = str | int | None
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""The first characters of cells that spreadsheets treat as formulas."""
_LONGEST_SHEET_NAME: Final = 31


def export(
    projections: Projections,
    store: Store,
    tournament: TournamentId,
    on_counted: Callable[[int], None] | None = None,
) -> Iterator[bytes]:
    """Yield the lines of a tournament's proof pack. Raises KeyError for an unknown tournament.

    The entries are selected at once, but read from the store with each line, which blocks, may happen on any
    thread and may raise Unavailable. ``on_counted`` is told how many there are.
    """
    state = projections.tournaments[tournament].state
    apart = frozenset(
        (table_stream(track.terminal), track.epoch, step.seq)
        for track in _apart(projections, tournament)
        for step in track.steps
    )
    own, reported = _of_station(projections, tournament), _of_terminals(projections, tournament)
    if on_counted is not None:
        on_counted(sum(map(len, (*own.values(), *reported.values()))))
    lines = _lines(state, own, reported, store)
    return write_pack(_mark_uncounted(line, apart) for line in lines)


def _mark_uncounted(line: Line, apart: frozenset[tuple[StreamId, Epoch, int]]) -> Line:
    """Mark a line that does not count because its terminal was never given the game."""
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
    prizes = published_prizes(awards_of(state, edition)) if state.is_published else ()
    yield StandingsLine(public=state.is_published, rows=rows, prizes=prizes or msgspec.UNSET)


def _of_station(projections: Projections, tournament: TournamentId) -> _Wanted:
    """Return the tournament's own entries by epoch, oldest first; each restored backup begins an epoch."""
    stream = tournament_stream(tournament)
    wanted: dict[tuple[StreamId, Epoch], set[int]] = {}
    for epoch, seq in projections.tournaments[tournament].entries:
        wanted.setdefault((stream, epoch), set()).add(seq)
    return wanted


def _of_terminals(projections: Projections, tournament: TournamentId) -> _Wanted:
    """Return the entries of the tournament's games, including those that do not count."""
    wanted: dict[tuple[StreamId, Epoch], set[int]] = {}
    for track in (*_tracks_of(projections, tournament), *_apart(projections, tournament)):
        key = (table_stream(track.terminal), track.epoch)
        wanted.setdefault(key, set()).update(step.seq for step in track.steps)
    return wanted


def _tracks_of(projections: Projections, tournament: TournamentId) -> Iterator[GameTrack]:
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
    """Yield the selected entries of an epoch, and for each gap the hash with which its chain continues."""
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
    shared: dict[str, Any] = {
        "stream": entry.stream, "epoch": entry.epoch, "seq": entry.seq, "hash": entry.hash.hex(),
        "raw": entry.raw, "wall_ms": content.clock.wall_ms,
    }  # fmt: skip
    if entry.stream.startswith("table/"):
        return TerminalLine(**shared, step=_game_step.decode(content.body))
    return StationLine(**shared, step=_tournament_step.decode(content.body))


def pieces(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Join lines into larger pieces, as sending each piece has a cost."""
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
    """An iterator that counts a pack's lines. ``digest`` is the last line's, in hex."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._rest = iter(lines)
        self.lines = 0
        self.digest = ""

    def __iter__(self) -> "CountedLines":
        return self

    def read_all(self) -> None:
        for _ in self:
            pass

    def __next__(self) -> bytes:
        text = next(self._rest)
        digest = split_line(text.removesuffix(b"\n")).digest
        self.digest = "" if digest is None else digest.hex()
        self.lines += 1
        return text


class DataTable(enum.Enum):
    """The tables of a tournament; the values are used in commands, addresses and file names."""

    PLAYERS = "players"
    SEATS = "seats"
    RESULTS = "results"
    PENALTIES = "penalties"
    RANKING = "ranking"
    PRIZES = "prizes"


_SECRET: Final = frozenset({DataTable.RESULTS, DataTable.RANKING, DataTable.PRIZES})
"""Tables with roles, dollars or ranks, which are secret until the ranking is published."""


class ExportedTable(msgspec.Struct, frozen=True):
    """A table with its header row. Column names are English in every language, for programs."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def permission_for(table: DataTable, state: TournamentState) -> Permission:
    """Return the permission that a table requires at this stage of the tournament."""
    is_secret = table in _SECRET and state.stage is not Stage.PUBLISHED
    return Permission.STANDINGS if is_secret else Permission.TOURNAMENTS


def exported(table: DataTable, state: TournamentState, rules: Edition) -> ExportedTable:
    head, rows = _TABLES[table]
    return ExportedTable(head, tuple(rows(state, rules)))


def as_csv(table: ExportedTable, separator: str = ",") -> bytes:
    """Return a table as CSV in UTF-8, with a BOM for spreadsheets and without formulas."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator)
    writer.writerow(table.head)
    writer.writerows([harmless(cell) for cell in row] for row in table.rows)
    return text.getvalue().encode("utf-8-sig")


def csv_separator(language: str) -> str:
    """Return the separator that Excel expects: a semicolon in languages with a decimal comma."""
    return "," if language == "en" else ";"


def harmless(cell: Cell) -> Cell:
    """Prefix a cell with an apostrophe if a spreadsheet would treat it as a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


WORKBOOK: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
"""The media type of a workbook."""


def as_workbook(tables: Iterable[tuple[DataTable, ExportedTable]]) -> bytes:
    """Return tables as an XLSX file, one sheet each. Texts never become formulas."""
    # Imported here, so that the station starts faster.
    import xlsxwriter

    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        bold = book.add_format({"bold": True})
        for kind, table in tables:
            sheet = book.add_worksheet(kind.value[:_LONGEST_SHEET_NAME])
            sheet.freeze_panes(1, 0)
            for column, title in enumerate(table.head):
                sheet.write_string(0, column, title, bold)
            for line, row in enumerate(table.rows, 1):
                for column, cell in enumerate(row):
                    if isinstance(cell, int):
                        sheet.write_number(line, column, cell)
                    elif cell is not None:
                        sheet.write_string(line, column, cell)
            sheet.autofit()
    return content.getvalue()


def _players(state: TournamentState, _rules: Edition) -> Iterator[tuple[Cell, ...]]:
    for number, entrant in enumerate(state.entrants, 1):
        status = "ejected" if entrant.ejected else "withdrawn" if entrant.withdrawn else "playing"
        sheriff = " ".join(str(round_no) for round_no in entrant.sheriff_in)
        yield (number, entrant.player, entrant.name, entrant.club, status, len(entrant.warnings), sheriff)


def _seats(state: TournamentState, _rules: Edition) -> Iterator[tuple[Cell, ...]]:
    names = {entrant.player: entrant.name for entrant in state.entrants}
    for number, table in state.called_tables:
        for seat, player in enumerate(table.players, 1):
            yield (number, table.table, seat, player, names[player])


def _results(state: TournamentState, rules: Edition) -> Iterator[tuple[Cell, ...]]:
    names = {entrant.player: entrant.name for entrant in state.entrants}
    for drawn in state.published_rounds:
        for accepted in sorted(drawn.sheets, key=lambda sheet: sheet.result.table):
            sheet = record_sheet(accepted.result, rules)
            characters = accepted.result.characters
            for line in sheet.lines:
                character = characters[line.seat - 1] if characters else None
                yield (
                    drawn.round, sheet.table, line.seat, line.player, names[line.player], line.role.value,
                    None if character is None else character.value, line.fate.value, line.by,
                    None if line.cause is None else line.cause.value, int(line.won), sheet.ending.value,
                    int(line.winnings), int(line.spent),
                )  # fmt: skip


def _penalties(state: TournamentState, _rules: Edition) -> Iterator[tuple[Cell, ...]]:
    for entrant in state.entrants:
        for warning in entrant.warnings:
            offence = None if warning.offence is None else warning.offence.value
            yield (entrant.player, entrant.name, "warning", warning.round, offence, warning.reason)
    players = {(entrant.name, entrant.club): entrant.player for entrant in state.entrants}
    for ejection in ejections(state):
        offence = None if ejection.offence is None else ejection.offence.value
        player = players[ejection.name, ejection.club]
        yield (player, ejection.name, "ejection", ejection.round, offence, ejection.reason)


def _ranking(state: TournamentState, rules: Edition) -> Iterator[tuple[Cell, ...]]:
    names = {entrant.player: entrant.name for entrant in state.entrants}
    for row in standings_of(state, rules).rows:
        keys = ", ".join(f"{tie_break.key.value}={tie_break.value}" for tie_break in row.keys)
        rank = (None, None) if row.rank is None else (row.rank.first, row.rank.last)
        yield (
            *rank, row.player, names[row.player], row.games, int(row.score), int(row.bonus), int(row.prize),
            int(row.final_score), keys,
        )  # fmt: skip


def _prizes(state: TournamentState, rules: Edition) -> Iterator[tuple[Cell, ...]]:
    names = {entrant.player: entrant.name for entrant in state.entrants}
    for award in awards_of(state, rules):
        for one in award.winners:
            players = ", ".join(names[counted.player] for counted in one.counted)
            yield (award.prize.name, one.place, players, one.club, one.figure)


_Rows = Callable[[TournamentState, Edition], Iterator[tuple[Cell, ...]]]
_TABLES: Final[Mapping[DataTable, tuple[tuple[str, ...], _Rows]]] = {
    DataTable.PLAYERS: (("number", "player", "name", "club", "status", "warnings", "sheriff_in"), _players),
    DataTable.SEATS: (("round", "table", "seat", "player", "name"), _seats),
    DataTable.RESULTS: (
        (
            "round", "table", "seat", "player", "name", "role", "character", "fate", "by_seat", "cause",
            "won", "ending", "winnings", "spent",
        ),
        _results,
    ),
    DataTable.PENALTIES: (("player", "name", "penalty", "round", "category", "reason"), _penalties),
    DataTable.RANKING: (
        (
            "rank", "rank_to", "player", "name", "games", "score", "bonus", "prize", "total", "tie_breaks",
        ),
        _ranking,
    ),
    DataTable.PRIZES: (("prize", "place", "players", "club", "figure"), _prizes),
}  # fmt: skip
