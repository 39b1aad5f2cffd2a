"""Read a list of players from a CSV, XLSX or ODS file, as a preview: good rows, errors and warnings by line.

Spreadsheets write CSV differently from country to country: encoding, separator and the names of columns
are recognised, and a guess is reported.
"""

import codecs
import csv
import enum
import io
import unicodedata
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
import python_calamine

from saloon.core.terms import PlayerId
from saloon.core.tournament.events import Player
from saloon.core.tournament.registration import LONGEST_NAME, can_be_shown
from saloon.core.tournament.state import Entrant

MOST_PLAYERS = 5_000
MOST_BYTES = 2_000_000
_MOST_UNPACKED = 60_000_000
"""Octets of a spreadsheet that is unpacked: a small file can hold gigabytes."""
_ZIP = b"PK\x03\x04"
_MOST_CELLS_WIDE = 200
_SEPARATORS = (",", ";", "\t")
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


class Column(enum.Enum):
    """The kind of a column; the value lists its known headers, without accents and case."""

    NAME = ("name", "nome", "player", "players", "giocatore", "full name", "nome e cognome", "nominativo")
    SURNAME = ("surname", "last name", "family name", "cognome")
    CLUB = ("club", "town", "city", "citta", "team", "squadra", "circolo", "associazione", "provenienza")


_HEADERS = {header: column for column in Column for header in column.value}
_FIRST_NAMES = {"first name", "given name"}


class CsvProblem(enum.Enum):
    """Problems of a CSV file; the value is the English sentence and the key for translation."""

    TOO_LARGE = "The file has {bytes} bytes; the limit is {most}."
    EMPTY = "The file is empty."
    NO_TEXT = "This isn't a text file: it can't be read as UTF-8, UTF-16 or Windows-1252."
    NO_SPREADSHEET = "This spreadsheet can't be read: {fault}. Save it again as XLSX, ODS or CSV."
    SHEETS_IGNORED = "Only the sheet {sheet} was read; the file has {count} with content."
    GUESSED = "The file isn't UTF-8, so it was read as Windows-1252. Check the accented letters."
    NO_NAME_COLUMN = (
        "No column has the players' names. The first line must name the columns, and one of them "
        "must be {allowed}; it contains: {found}."
    )
    COLUMN_TWICE = "Two columns are read as {column}: {first} and {second}. Delete or rename one."
    COLUMN_IGNORED = "The column {column} was ignored."
    NO_PLAYERS = "There are no players below the first line."
    TOO_MANY = "The list has more than {most} players; the rest weren't read."
    NAME_MISSING = "The name is missing."
    TOO_LONG = "The {column} has {length} characters; the limit is {most}."
    UNPRINTABLE = "The {column} contains characters that can't be printed."
    TOO_MANY_FIELDS = (
        "There are {found} fields but {expected} columns. Put a name that contains a separator in quotes."
    )
    TWICE = "{name} is already on line {first}, with the same club or town."
    KNOWN = "{name} is already registered, and is left out."
    NAMESAKE = "{name} is already registered with another club or town. Are they two people?"
    NAMESAKE_IN_FILE = "{name} is also on line {first}, with another club or town. Are they two people?"
    BROKEN = "This line can't be read: {fault}. A quotation mark may be missing."


class CsvFinding(msgspec.Struct, frozen=True):
    """An error or a warning. line: from 1, the header's is 1; None for the whole file."""

    line: int | None
    problem: CsvProblem
    fields: Mapping[str, str | int] = {}

    def __str__(self) -> str:
        sentence = self.problem.value.format(**self.fields)
        return sentence if self.line is None else f"line {self.line}: {sentence}"


class PlayerRow(msgspec.Struct, frozen=True):
    """A player that can be registered. line: of the file, from 1."""

    line: int
    name: str
    club: str


class Preview(msgspec.Struct, frozen=True):
    """The preview of a file. rows: the good ones; with any error nothing should be imported."""

    rows: tuple[PlayerRow, ...]
    errors: tuple[CsvFinding, ...]
    warnings: tuple[CsvFinding, ...]


def preview(content: bytes, entrants: Sequence[Entrant] = ()) -> Preview:
    """Read a file into a preview. Never raises: problems are in the preview.

    entrants: players who are registered already; the rows are without them.
    """
    reading = _Reading()
    if content.startswith(_ZIP):
        reading.read_spreadsheet(content)
    elif (text := reading.text_of(content)) is not None:
        reading.read(_lines(text))
    rows = reading.rows_without(entrants)
    return Preview(rows, tuple(reading.errors), tuple(reading.warnings))


def new_players(rows: Sequence[PlayerRow], entrants: Sequence[Entrant]) -> tuple[Player, ...]:
    """Turn the rows into players of a tournament, with ids that no entrant has."""
    taken = {entrant.player for entrant in entrants}
    ids = (PlayerId(f"p{number:03}") for number in range(1, len(taken) + len(rows) + 1))
    free = (player for player in ids if player not in taken)
    return tuple(Player(player, row.name, row.club) for player, row in zip(free, rows, strict=False))


@dataclass
class _Reading:
    rows: list[PlayerRow] = field(default_factory=list)
    errors: list[CsvFinding] = field(default_factory=list)
    warnings: list[CsvFinding] = field(default_factory=list)

    def error(self, line: int | None, problem: CsvProblem, **fields: str | int) -> None:
        self.errors.append(CsvFinding(line, problem, fields))

    def text_of(self, content: bytes) -> str | None:
        if len(content) > MOST_BYTES:
            self.error(None, CsvProblem.TOO_LARGE, bytes=len(content), most=MOST_BYTES)
            return None
        encoding = next((name for bom, name in _BOMS if content.startswith(bom)), None) or _without_bom(
            content
        )
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            text = self._guess_encoding(content)
        if not text.strip("\ufeff").strip():
            self.error(None, CsvProblem.EMPTY if not self.errors else CsvProblem.NO_TEXT)
            return None
        return text

    def _guess_encoding(self, content: bytes) -> str:
        try:
            text = content.decode("cp1252")
        except UnicodeDecodeError:
            self.error(None, CsvProblem.NO_TEXT)
            return ""
        self.warnings.append(CsvFinding(None, CsvProblem.GUESSED))
        return text

    def read_spreadsheet(self, content: bytes) -> None:
        """Read the first sheet with content of an XLSX or ODS file."""
        if len(content) > MOST_BYTES:
            self.error(None, CsvProblem.TOO_LARGE, bytes=len(content), most=MOST_BYTES)
            return
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as packed:
                unpacked = sum(part.file_size for part in packed.infolist())
            if unpacked > _MOST_UNPACKED:
                self.error(None, CsvProblem.TOO_LARGE, bytes=unpacked, most=_MOST_UNPACKED)
                return
            book = python_calamine.load_workbook(io.BytesIO(content))
            sheets = [(name, _sheet_lines(book.get_sheet_by_name(name))) for name in book.sheet_names]
        except (zipfile.BadZipFile, python_calamine.CalamineError, OSError, ValueError) as error:
            fault = str(error).splitlines()[0] if str(error) else type(error).__name__
            self.error(None, CsvProblem.NO_SPREADSHEET, fault=fault[:LONGEST_NAME])
            return
        filled = [(name, lines) for name, lines in sheets if lines]
        if not filled:
            self.error(None, CsvProblem.EMPTY)
            return
        if len(filled) > 1:
            fields: dict[str, str | int] = {"sheet": filled[0][0], "count": len(filled)}
            self.warnings.append(CsvFinding(None, CsvProblem.SHEETS_IGNORED, fields))
        self.read(iter(filled[0][1]))

    def read(self, lines: Iterator[tuple[int, list[str]]]) -> None:
        """Read lines of cells with their numbers, the header first."""
        try:
            _, header = next(lines)
            columns = self._columns(header)
            if columns is None:
                return
            self._players(lines, columns, len(header))
        except _BrokenLine as broken:
            self.error(broken.line, CsvProblem.BROKEN, fault=broken.fault)
        if not self.rows and not self.errors:
            self.error(None, CsvProblem.NO_PLAYERS)

    def _columns(self, header: Sequence[str]) -> dict[Column, int] | None:
        columns: dict[Column, int] = {}
        for number, title in enumerate(header):
            column = _column_of(title, header)
            if column is None:
                if title.strip():
                    self.warnings.append(CsvFinding(1, CsvProblem.COLUMN_IGNORED, {"column": title.strip()}))
            elif column in columns:
                first = header[columns[column]].strip()
                self.error(
                    1, CsvProblem.COLUMN_TWICE, column=column.name.lower(), first=first, second=title.strip()
                )
                return None
            else:
                columns[column] = number
        if Column.NAME not in columns:
            found = ", ".join(title.strip() for title in header)[:LONGEST_NAME]
            self.error(1, CsvProblem.NO_NAME_COLUMN, allowed=", ".join(Column.NAME.value), found=found)
            return None
        return columns

    def _players(
        self, lines: Iterator[tuple[int, list[str]]], columns: Mapping[Column, int], width: int
    ) -> None:
        seen: dict[tuple[str, str], int] = {}
        filled = ((line, cells) for line, cells in lines if any(cell.strip() for cell in cells))
        for count, (line, cells) in enumerate(filled):
            if count >= MOST_PLAYERS:
                self.error(line, CsvProblem.TOO_MANY, most=MOST_PLAYERS)
                return
            if any(cell.strip() for cell in cells[width:]):
                self.error(line, CsvProblem.TOO_MANY_FIELDS, found=len(cells), expected=width)
                continue
            row = _row(line, cells, columns)
            spoken = (row.name.casefold(), row.club.casefold())
            if not self._is_good(row):
                continue
            if spoken in seen:
                self.error(line, CsvProblem.TWICE, name=row.name, first=seen[spoken])
                continue
            seen[spoken] = line
            self.rows.append(row)

    def rows_without(self, entrants: Sequence[Entrant]) -> tuple[PlayerRow, ...]:
        """Return the rows of newcomers, with warnings of the others and of namesakes."""
        known = {(one.name.casefold(), one.club.casefold()) for one in entrants}
        names = {name for name, _ in known}
        lines, kept = dict[str, int](), list[PlayerRow]()
        for row in self.rows:
            name = row.name.casefold()
            if (name, row.club.casefold()) in known:
                self.warnings.append(CsvFinding(row.line, CsvProblem.KNOWN, {"name": row.name}))
                continue
            if name in names:
                self.warnings.append(CsvFinding(row.line, CsvProblem.NAMESAKE, {"name": row.name}))
            elif name in lines:
                fields: dict[str, str | int] = {"name": row.name, "first": lines[name]}
                self.warnings.append(CsvFinding(row.line, CsvProblem.NAMESAKE_IN_FILE, fields))
            lines.setdefault(name, row.line)
            kept.append(row)
        return tuple(kept)

    def _is_good(self, row: PlayerRow) -> bool:
        before = len(self.errors)
        if not row.name:
            self.error(row.line, CsvProblem.NAME_MISSING)
        for column, written in (("name", row.name), ("club", row.club)):
            if len(written) > LONGEST_NAME:
                self.error(
                    row.line, CsvProblem.TOO_LONG, column=column, length=len(written), most=LONGEST_NAME
                )
            elif not can_be_shown(written):
                self.error(row.line, CsvProblem.UNPRINTABLE, column=column)
        return len(self.errors) == before


class _BrokenLine(Exception):
    def __init__(self, line: int, fault: str) -> None:
        self.line = line
        self.fault = fault
        super().__init__(fault)


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each line's number and cells, the header first. Raises _BrokenLine."""
    written = text.lstrip("\ufeff").splitlines(keepends=True)
    empty = next(number for number, line in enumerate(written) if line.strip())
    content = "".join(written[empty:])
    reader = csv.reader(io.StringIO(content, newline=""), delimiter=_separator(written[empty]), strict=True)
    first = empty + 1
    before = 0
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise _BrokenLine(first + before, str(error)) from error
        yield first + before, cells
        before = reader.line_num


def _sheet_lines(sheet: python_calamine.CalamineSheet) -> list[tuple[int, list[str]]]:
    """Return each line of a sheet from the first that is not empty, with its number in the sheet."""
    rows = sheet.to_python(skip_empty_area=False, nrows=2 * MOST_PLAYERS)
    lines = [
        (number, [_cell_text(cell) for cell in row[:_MOST_CELLS_WIDE]]) for number, row in enumerate(rows, 1)
    ]
    first = next((place for place, (_, cells) in enumerate(lines) if any(map(str.strip, cells))), len(lines))
    return lines[first:]


def _cell_text(cell: object) -> str:
    """Return a cell as it is written: a number without a fraction has no point."""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def _separator(header: str) -> str:
    return max(_SEPARATORS, key=header.count)


def _column_of(title: str, header: Sequence[str]) -> Column | None:
    plain = _plain(title)
    if plain in _FIRST_NAMES and any(_HEADERS.get(_plain(other)) is Column.SURNAME for other in header):
        return Column.NAME
    return _HEADERS.get(plain)


def _plain(title: str) -> str:
    decomposed = unicodedata.normalize("NFKD", " ".join(title.split()).casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def _row(line: int, cells: Sequence[str], columns: Mapping[Column, int]) -> PlayerRow:
    def cell(column: Column) -> str:
        number = columns.get(column)
        return " ".join(cells[number].split()) if number is not None and number < len(cells) else ""

    name = f"{cell(Column.NAME)} {cell(Column.SURNAME)}".strip()
    return PlayerRow(
        line, unicodedata.normalize("NFC", name), unicodedata.normalize("NFC", cell(Column.CLUB))
    )


def _without_bom(content: bytes) -> str:
    """Guess the encoding of a file without a BOM: UTF-16 has a zero byte next to almost every letter."""
    sample = content[:400]
    if len(sample) >= 2 and sample.count(0) * 4 >= len(sample):  # noqa: PLR2004 (one letter)
        return "utf-16-le" if sample[1::2].count(0) > sample[0::2].count(0) else "utf-16-be"
    return "utf-8"
