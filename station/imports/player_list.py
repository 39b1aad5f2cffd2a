"""Read a list of players from a CSV, XLSX or ODS file into a preview with errors and warnings by line.

Spreadsheet programs write lists differently in each country, so the encoding, the separator, the line of
titles and the columns are detected, and guesses are reported.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Protocol

from msgspec.structs import replace

from core.terms import PlayerId
from core.tournament.registration import MOST_PLAYERS as MOST_OF_TOURNAMENT
from core.tournament.state.names import (
    LONGEST_NAME,
    MARKS,
    can_be_shown,
    fold_name,
    is_spreadsheet_error,
    likeness_keys,
    nfc,
    printable,
    sound_key,
)
from core.tournament.state.tournament import Entrant, Player
from station.imports.csv_text import (
    ENCODINGS,
    FIRST_ROWS,
    BrokenLine,
    Lines,
    WrongEncoding,
    decode,
    is_strange,
    lines_of,
    repaired,
)
from station.imports.findings import (
    CsvFinding,
    CsvProblem,
    ListColumns,
    ListFormat,
    PlayerRow,
    Preview,
    PrivateField,
)
from station.imports.layout import (
    ALLOWED,
    NumberedLine,
    TwoColumns,
    are_numbered,
    columns_of,
    continues_titles,
    filled,
    is_between_players,
    is_like_a_note,
    is_no_club,
    is_own_export,
    is_title,
    lines_with_players,
    with_titles_above,
    without_number,
)
from station.imports.private_columns import is_email, private_columns, read_facts
from station.imports.sheet_rows import MOST_COLUMNS, MOST_ROWS, Sheet
from station.imports.spreadsheets import BadSpreadsheet, TooLargeSpreadsheet, file_kind, read_sheets

MOST_PLAYERS = 5_000
MOST_BYTES = 2_000_000
AS_RECOGNISED: Final = ListFormat()
_FORMULA: Final = ("'=", "'+", "'-", "'@")
"""The first characters of formulas escaped by our own export."""


class Person(Protocol):
    """A registered player."""

    @property
    def name(self) -> str: ...
    @property
    def club(self) -> str: ...


def preview(content: bytes, entrants: Sequence[Person] = (), choice: ListFormat = AS_RECOGNISED) -> Preview:
    """Read a file into a preview, which reports problems instead of raising them.

    entrants: players who are registered already; their rows are left out.
    """
    reading = _Reading(choice)
    reading.read_file(content)
    rows = reading.rows_without(entrants)
    if rows and len(entrants) + len(rows) > MOST_OF_TOURNAMENT:
        players = len(entrants) + len(rows)
        reading.error(None, CsvProblem.TOO_MANY_IN_ALL, players=players, most=MOST_OF_TOURNAMENT)
    return Preview(
        rows,
        tuple(reading.errors),
        tuple(reading.warnings),
        reading.titles,
        reading.columns,
        reading.encoding,
    )


def new_players(rows: Sequence[PlayerRow], entrants: Sequence[Entrant]) -> tuple[Player, ...]:
    """Turn rows into players of a tournament, with ids that no entrant has."""
    taken = {entrant.player for entrant in entrants}
    ids = (PlayerId(f"p{number:03}") for number in range(1, len(taken) + len(rows) + 1))
    free = (player for player in ids if player not in taken)
    return tuple(Player(player, row.name, row.club) for player, row in zip(free, rows, strict=False))


@dataclass
class _Reading:
    choice: ListFormat
    rows: list[PlayerRow] = field(default_factory=list)
    errors: list[CsvFinding] = field(default_factory=list)
    warnings: list[CsvFinding] = field(default_factory=list)
    titles: tuple[str, ...] = ()
    columns: ListColumns | None = None
    private: Mapping[PrivateField, int] = field(default_factory=dict)
    encoding: str = ""
    guessed: frozenset[int] | None = frozenset()
    """The lines that were read as Windows-1252 as a fallback, or None for all lines."""

    def error(self, line: int | None, problem: CsvProblem, **fields: str | int) -> None:
        self.errors.append(CsvFinding(line, problem, fields))

    def warn(self, line: int | None, problem: CsvProblem, **fields: str | int) -> None:
        self.warnings.append(CsvFinding(line, problem, fields))

    def read_file(self, content: bytes) -> None:
        if len(content) > MOST_BYTES:
            self.error(None, CsvProblem.TOO_LARGE, most=MOST_BYTES // 1_000_000)
            return
        match file_kind(content):
            case "sheets":
                self._read_spreadsheet(content)
            case "xls":
                self.error(None, CsvProblem.OLD_EXCEL)
            case "numbers":
                self.error(None, CsvProblem.NUMBERS)
            case "":
                self._read_text(content)
            case kind:
                self.error(None, CsvProblem.OTHER_KIND, kind=kind)

    def _read_text(self, content: bytes) -> None:
        try:
            decoded = decode(content, self.choice.encoding)
        except WrongEncoding as wrong:
            if wrong.line is None:
                self.error(None, CsvProblem.NO_TEXT)
            else:
                name = ENCODINGS[self.choice.encoding]
                self.error(wrong.line, CsvProblem.NOT_IN_ENCODING, encoding=name)
            return
        self.encoding = decoded.encoding
        if not decoded.text.strip("\ufeff").strip():
            self.error(None, CsvProblem.EMPTY)
            return
        if decoded.is_guessed:
            self.warn(None, CsvProblem.GUESSED)
        for line in () if decoded.is_guessed else decoded.guessed:
            self.warn(line, CsvProblem.LINE_GUESSED)
        self.guessed = None if decoded.is_guessed else frozenset(decoded.guessed)
        self._read_lines(lines_of(decoded.text, _count_titles))

    def _read_spreadsheet(self, content: bytes) -> None:
        """Read the sheet with the most column titles, preferring one that isn't hidden."""
        try:
            sheets = read_sheets(content)
        except TooLargeSpreadsheet as error:
            self.error(None, CsvProblem.TOO_LARGE, most=error.most // 1_000_000)
            return
        except BadSpreadsheet:
            self.error(None, CsvProblem.NO_SPREADSHEET)
            return
        if not sheets:
            self.error(None, CsvProblem.EMPTY)
            return
        sheet = max(sheets, key=lambda one: (bool(_titles_in(one)), not one.is_hidden, _titles_in(one)))
        if len(sheets) > 1:
            self.warn(None, CsvProblem.SHEETS_IGNORED, sheet=sheet.name, count=len(sheets))
        if sheet.has_more:
            self.warn(None, CsvProblem.CELLS_IGNORED, rows=MOST_ROWS, columns=MOST_COLUMNS)
        if sheet.hidden_rows:
            self.warn(None, CsvProblem.HIDDEN_ROWS, count=sheet.hidden_rows)
        self._read_lines((line, list(row)) for line, row in sheet.rows)

    def _read_lines(self, lines: Lines) -> None:
        numbered: list[NumberedLine] = []
        broken: BrokenLine | None = None
        try:
            for line, cells in lines:
                if any(cell.strip() for cell in cells):
                    numbered.append((line, [_text_of(cell) for cell in cells]))
                if len(numbered) > MOST_ROWS:
                    break
        except BrokenLine as error:
            broken = error
        header = self._header(numbered)
        if header is not None:
            self._players(numbered[header:])
        if broken is not None and (header is not None or not self.errors):
            self.error(broken.line, CsvProblem.BROKEN)
        if not self.rows and not self.errors:
            self.error(None, CsvProblem.NO_PLAYERS)

    def _header(self, lines: Sequence[NumberedLine]) -> int | None:
        """Detect titles and columns; return the number of lines above the players, or None on an error."""
        counts = [_count_titles(cells) for _, cells in lines[:FIRST_ROWS]]
        place = counts.index(max(counts, default=0)) if counts else 0
        is_long = any(counts) and place + 1 < len(lines)
        is_long = is_long and continues_titles(lines[place][1], lines[place + 1][1])
        place += is_long
        line, titles = lines[place] if lines else (1, [])
        above = place
        if place:
            titles = with_titles_above(titles, lines[place - 1][1])
            above -= is_long or titles[: len(lines[place][1])] != lines[place][1]
        if not self.choice.has_titles:
            self.titles = tuple(lines[0][1])
        else:
            self.titles = tuple(title.strip() for title in titles)
            self.private = private_columns(self.titles, self.choice.private_fields)
            self._warn_of_lines_above(lines[:place], above, filled(titles))
        if self.choice.columns is not None:
            self.columns = self.choice.columns
            return place + 1 if self.choice.has_titles else 0
        try:
            self.columns = columns_of(titles[:MOST_COLUMNS])
        except TwoColumns as two:
            self.error(line, CsvProblem.COLUMN_TWICE, column=two.column, first=two.first, second=two.second)
            return None
        if self.columns is None:
            title_row = ", ".join(title.strip() for title in titles[:MOST_COLUMNS])[:LONGEST_NAME]
            if lines:
                self.error(line, CsvProblem.NO_NAME_COLUMN, allowed=ALLOWED, found=printable(title_row))
            return None
        self._warn_of_ignored(line, self.columns)
        return place + 1

    def _warn_of_lines_above(self, lines: Sequence[NumberedLine], unused: int, width: int) -> None:
        """Warn if an unused line above the titles may be a player's or have titles."""
        if any(filled(cells) >= width or _count_titles(cells) for _, cells in lines[:unused]):
            self.warn(lines[0][0], CsvProblem.NOT_READ_ABOVE, last=lines[-1][0])

    def _warn_of_ignored(self, line: int, columns: ListColumns) -> None:
        used = {*columns.names, columns.club, *self.private.values()}
        for number, title in enumerate(self.titles):
            if number not in used and title and not is_own_export(self.titles):
                self.warn(line, CsvProblem.COLUMN_IGNORED, column=printable(title[:LONGEST_NAME]))

    def _players(self, below: Sequence[NumberedLine]) -> None:
        seen: dict[tuple[str, str], int] = {}
        width = len(self.titles) if self.choice.has_titles else MOST_COLUMNS
        lines = self._without_others(below)
        is_numbered = are_numbered([self._name(cells) for _, cells in lines])
        for count, (line, cells) in enumerate(lines):
            if count >= MOST_PLAYERS:
                self.error(line, CsvProblem.TOO_MANY, most=MOST_PLAYERS)
                return
            if any(cell.strip() for cell in cells[width:]):
                self.error(line, CsvProblem.TOO_MANY_FIELDS, found=len(cells), expected=width)
                continue
            row = self._row(line, cells, is_numbered=is_numbered)
            key = sound_key(row.name, row.club)
            if not self._is_good(row):
                continue
            if key in seen:
                self.error(line, CsvProblem.TWICE, name=row.name, first=seen[key])
                continue
            seen[key] = line
            self.rows.append(row)

    def _without_others(self, below: Sequence[NumberedLine]) -> Sequence[NumberedLine]:
        kept = lines_with_players(below, self._name)
        if len(kept) < len(below):
            self.warn(below[len(kept)][0], CsvProblem.NO_NAMES_BELOW)
        titles = self.titles if self.choice.has_titles else ()
        players = [line for line in kept if not is_between_players(line[1], titles)]
        is_narrow = all(filled(cells) <= 1 for _, cells in players)
        numbers = {line for line, _ in players}
        place = self.columns.club if self.columns is not None else None
        clubs = {fold_name(c[place]) for _, c in players if place is not None and place < len(c)} - {""}
        for (before, _), (line, cells) in pairwise(((0, []), *kept)):
            name = self._name(cells) if line in numbers else ""
            is_apart = 0 < before < line - 1 or fold_name(name) in clubs
            if name and is_like_a_note(cells, name, is_apart=is_apart, is_narrow=is_narrow):
                self.warn(line, CsvProblem.NOTE, name=printable(name[:LONGEST_NAME]))
        return players

    def _name(self, cells: Sequence[str]) -> str:
        assert self.columns is not None
        parts = (_clean(cells[place]) for place in self.columns.names if place < len(cells))
        return " ".join(part for part in parts if part)

    def _row(self, line: int, cells: Sequence[str], *, is_numbered: bool) -> PlayerRow:
        assert self.columns is not None
        place = self.columns.club
        names = [cells[place] for place in self.columns.names if place < len(cells)]
        club = cells[place] if place is not None and place < len(cells) else ""
        for cell in (*names, club):
            self._check_letters(line, cell)
        wrong = next(filter(is_spreadsheet_error, map(_clean, names)), None)
        if wrong is not None:
            self.error(line, CsvProblem.NAME_IS_ERROR, found=wrong)
        club = _clean(club)
        if is_spreadsheet_error(club):
            if wrong is None:
                self.warn(line, CsvProblem.CLUB_IS_ERROR, found=club)
            club = ""
        name = self._name(cells)
        facts = read_facts(cells, self.private)
        if facts.email and not is_email(facts.email):
            self.warn(line, CsvProblem.NO_EMAIL, found=printable(facts.email[:LONGEST_NAME]))
            facts = replace(facts, email="")
        name = without_number(name) if is_numbered else name
        return PlayerRow(line, name, "" if is_no_club(club) else club, facts)

    def _check_letters(self, line: int, cell: str) -> None:
        text = printable(cell[:LONGEST_NAME])
        was_guessed = self.guessed is None or line in self.guessed
        if was_guessed and is_strange(cell):
            self.error(line, CsvProblem.STRANGE, found=text)
        elif (meant := repaired(cell[:LONGEST_NAME])) is not None:
            fields = {"found": text, "repaired": printable(meant), "encoding": ENCODINGS["twice"]}
            self.warn(line, CsvProblem.MOJIBAKE, **fields)

    def _is_good(self, row: PlayerRow) -> bool:
        if self.errors and self.errors[-1].line == row.line:
            return False
        before = len(self.errors)
        if not row.name:
            self.error(row.line, CsvProblem.NAME_MISSING)
        for column, text in (("name", row.name), ("club", row.club)):
            if len(text) > LONGEST_NAME:
                self.error(row.line, CsvProblem.TOO_LONG, column=column, length=len(text), most=LONGEST_NAME)
            elif not can_be_shown(text):
                self.error(row.line, CsvProblem.UNPRINTABLE, column=column, found=printable(text))
        return len(self.errors) == before

    def rows_without(self, entrants: Sequence[Person]) -> tuple[PlayerRow, ...]:
        """Return the rows of new players, warning of registered ones and of similar names."""
        known = {sound_key(one.name, one.club) for one in entrants}
        people = {key: one for one in entrants for key in likeness_keys(one.name)}
        before: dict[str, PlayerRow] = {}
        kept: list[PlayerRow] = []
        for row in self.rows:
            if sound_key(row.name, row.club) in known:
                self.warn(row.line, CsvProblem.KNOWN, name=row.name)
                continue
            keys = likeness_keys(row.name)
            if other := next((people[key] for key in keys if key in people), None):
                self._warn_of_namesake(row, other, None)
            elif earlier := next((before[key] for key in keys if key in before), None):
                self._warn_of_namesake(row, earlier, earlier.line)
            before = dict.fromkeys(keys, row) | before
            kept.append(row)
        return tuple(kept)

    def _warn_of_namesake(self, row: PlayerRow, other: Person, line: int | None) -> None:
        fields: dict[str, str | int] = {"name": row.name}
        if line is not None:
            fields["first"] = line
        if sound_key(row.name, "") == sound_key(other.name, ""):
            problem = CsvProblem.NAMESAKE if line is None else CsvProblem.NAMESAKE_IN_FILE
        else:
            problem = CsvProblem.ALIKE if line is None else CsvProblem.ALIKE_IN_FILE
            fields["other"] = f"{other.name} ({other.club})" if other.club else other.name
        self.warn(row.line, problem, **fields)


def _titles_in(sheet: Sheet) -> int:
    return max((_count_titles(row) for _, row in sheet.rows[:FIRST_ROWS]), default=0)


def _count_titles(cells: Sequence[str]) -> int:
    """Return how many cells of a line are column titles, or 0 if none is a name's."""
    try:
        if columns_of(cells[:MOST_COLUMNS]) is None:
            return 0
    except TwoColumns:
        pass
    return sum(map(is_title, cells[:MOST_COLUMNS]))


def _text_of(cell: str) -> str:
    """Remove the apostrophe that our own export adds before formula characters."""
    return cell[1:] if cell.startswith(_FORMULA) else cell


def _clean(cell: str) -> str:
    """Return a cell as it is stored: with single spaces and no invisible characters."""
    text = " ".join(MARKS.sub("", cell).split()).strip("\u200c\u200d")
    return nfc(text) if len(text) <= 2 * LONGEST_NAME else text
