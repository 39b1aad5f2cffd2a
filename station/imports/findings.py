"""The preview of a list of players: valid rows, errors, warnings, and how the file was read."""

import enum
from collections.abc import Mapping

import msgspec


class CsvProblem(enum.Enum):
    """The problems of a list; the value is the English sentence."""

    TOO_LARGE = "The file is larger than {most} MB. Split it, or save it without pictures."
    TOO_MUCH = "Reading this file takes too much time or memory. Save only the list, as CSV."
    EMPTY = "The file is empty."
    NO_TEXT = "This isn't a text file: it can't be read as UTF-8, UTF-16 or Windows-1252."
    NO_SPREADSHEET = "This spreadsheet is damaged, or isn't one. Save it again as XLSX, ODS or CSV."
    OLD_EXCEL = "This is an old Excel file (.xls), or has a password. Save it as XLSX, without a password."
    NUMBERS = "This is a Numbers file. In Numbers, export it as Excel or CSV, and upload that."
    OTHER_KIND = "{kind} files can't be read. Save the list as XLSX, ODS or CSV."
    SHEETS_IGNORED = "Only the sheet {sheet} was read; the file has {count} sheets with content."
    HIDDEN_ROWS = "Hidden rows in this sheet were also read: {count}. Are all of them players?"
    CELLS_IGNORED = "Cells below row {rows} or to the right of column {columns} weren't read."
    GUESSED = "The file isn't UTF-8, so it was read as Windows-1252. Check the accented letters."
    LINE_GUESSED = "This line isn't UTF-8, so it was read as Windows-1252. Check its accented letters."
    NOT_IN_ENCODING = "This line can't be read as {encoding}. Choose another encoding."
    STRANGE = "These don't look like letters of a name: {found}. Choose the file's encoding."
    MOJIBAKE = "Should {found} be {repaired}? If so, choose the encoding {encoding}."
    NO_NAME_COLUMN = (
        "No column has the players' names. One of the first lines must name the columns, and one of them "
        "must be {allowed}; it contains: {found}."
    )
    COLUMN_TWICE = "Two columns are read as {column}: {first} and {second}. Delete or rename one."
    COLUMN_IGNORED = "The column {column} was ignored."
    NO_PLAYERS = "There are no players below the first line."
    TOO_MANY = "The list has more than {most} players; the rest weren't read."
    TOO_MANY_IN_ALL = "With this list, the tournament would have {players} players; the limit is {most}."
    NAME_MISSING = "The name is missing."
    NO_NAMES_BELOW = "There are no names from this line on, so these lines were ignored."
    NOT_READ_ABOVE = "The lines above the titles (up to line {last}) were ignored."
    NOTE = "“{name}” may be a note or a heading. Is it a player?"
    NAME_IS_ERROR = "The name is an error from the spreadsheet: {found}."
    NO_EMAIL = "“{found}” isn't an e-mail address. It was left empty."
    CLUB_IS_ERROR = "The club or town is an error from the spreadsheet: {found}. It was left empty."
    TOO_LONG = "The {column} has {length} characters; the limit is {most}."
    UNPRINTABLE = "The {column} contains characters that can't be printed (shown here as ?): {found}."
    TOO_MANY_FIELDS = (
        "There are {found} fields but {expected} columns. Put a name that contains a separator in quotes."
    )
    TWICE = "{name} is already on line {first}, with the same club or town."
    KNOWN = "{name} is already registered and will be skipped."
    NAMESAKE = "{name} is already registered with another club or town. Are they two people?"
    NAMESAKE_IN_FILE = "{name} is also on line {first}, with another club or town. Are they two people?"
    ALIKE = "{name} is similar to {other}, who is already registered. Are they two people?"
    ALIKE_IN_FILE = "{name} is similar to {other} on line {first}. Are they two people?"
    BROKEN = "This line can't be read: a quotation mark may be missing."


class CsvFinding(msgspec.Struct, frozen=True):
    """An error or a warning. ``line`` is the line in the file, from 1, or None for the whole file."""

    line: int | None
    problem: CsvProblem
    fields: Mapping[str, str | int] = {}

    def __str__(self) -> str:
        sentence = self.problem.value.format(**self.fields)
        return sentence if self.line is None else f"line {self.line}: {sentence}"


class PrivateField(enum.Enum):
    """The facts about players that judges may keep; the values are their names in ``PrivateFacts``."""

    PAID = "paid"
    NOTE = "note"
    EMAIL = "email"
    NEWCOMER = "newcomer"


class PrivateFacts(msgspec.Struct, frozen=True, omit_defaults=True):
    """Facts about a player for judges only: never on public pages, screens or badges, or in proof packs.

    newcomer: recorded in the tournament with the ranking if a prize is for newcomers.
    """

    paid: bool = False
    note: str = ""
    email: str = ""
    newcomer: bool = False


class PlayerRow(msgspec.Struct, frozen=True):
    """A valid row. ``line`` is its number in the file, from 1; ``private`` are facts that only judges see."""

    line: int
    name: str
    club: str
    private: PrivateFacts = PrivateFacts()


class ListColumns(msgspec.Struct, frozen=True):
    """The columns to read, from 0. Cells of several ``names``, such as first and last name, are joined."""

    names: tuple[int, ...]
    club: int | None = None


class ListFormat(msgspec.Struct, frozen=True):
    """A judge's choice of how to read a file. Encoding and columns are detected if they are not chosen.

    private_fields: the private facts to read, from columns that are recognised by their titles.
    """

    encoding: str = ""
    columns: ListColumns | None = None
    has_titles: bool = True
    private_fields: frozenset[PrivateField] = frozenset()


class Preview(msgspec.Struct, frozen=True):
    """The preview of a file, which must not be imported if it has errors.

    rows: the valid rows.
    encoding: the chosen or detected one; empty for a spreadsheet.
    """

    rows: tuple[PlayerRow, ...]
    errors: tuple[CsvFinding, ...]
    warnings: tuple[CsvFinding, ...]
    titles: tuple[str, ...] = ()
    columns: ListColumns | None = None
    encoding: str = ""
