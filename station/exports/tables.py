"""Tables of a tournament's players, seats, results, penalties and ranking, as CSV or a workbook."""

import csv
import enum
import io
from collections.abc import Callable, Iterator, Mapping
from typing import Final

import msgspec

from core.editions.edition import Edition
from core.game.ending.record_sheet import record_sheet
from core.text.ejections import ejections
from core.tournament.standings.standings import standings_of
from core.tournament.state.tournament import Stage, TournamentState
from station.accounts.permissions import Permission

Cell = str | int | None
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""The first characters of cells that spreadsheets would treat as formulas."""
_LONGEST_SHEET_NAME: Final = 31


class DataTable(enum.Enum):
    """The tables; the values are used in commands, addresses and file names."""

    PLAYERS = "players"
    SEATS = "seats"
    RESULTS = "results"
    PENALTIES = "penalties"
    RANKING = "ranking"


_SECRET: Final = frozenset({DataTable.RESULTS, DataTable.RANKING})
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
    """Return one table of a tournament."""
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
    """Return the separator of CSV cells: Excel expects semicolons where the decimal separator is a comma."""
    return "," if language == "en" else ";"


def harmless(cell: Cell) -> Cell:
    """Return a cell that no spreadsheet treats as a formula, by prefixing it with an apostrophe."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def as_workbook(tables: Mapping[DataTable, ExportedTable]) -> bytes:
    """Return tables as an XLSX file, one sheet each. Texts never become formulas."""
    # Imported here, so that the station starts faster.
    import xlsxwriter

    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        bold = book.add_format({"bold": True})
        for kind, table in tables.items():
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
}  # fmt: skip
