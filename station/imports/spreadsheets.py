"""Stream the cells of XLSX and ODS files, whatever sizes their sheets claim.

A single cell in the last corner of a sheet is common, so nothing is allocated by a sheet's size. Cells beyond
the limits only set a flag, and reading stops when a file unpacks to too much.
"""

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Final
from xml.parsers import expat

from station.imports.sheet_rows import MOST_COLUMNS, Sheet, SheetRows

_MOST_UNPACKED: Final = 60_000_000
"""The size limit of an unpacked spreadsheet in bytes, as a small file can unpack to gigabytes."""
_PIECE: Final = 1 << 16
_TRUE: Final = ("1", "true")
_ESCAPE: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")
_COLUMN: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_MERGED: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7}):[A-Z]{1,3}([0-9]{1,7})")
_BROKEN: Final = (
    zipfile.BadZipFile, expat.ExpatError, zlib.error, OSError, EOFError, ValueError, KeyError, RuntimeError,
    NotImplementedError, IndexError,
)  # fmt: skip


class BadSpreadsheet(Exception):
    """Raised for a spreadsheet that can't be read."""


class TooLargeSpreadsheet(Exception):
    """Raised for a spreadsheet that unpacks to too much."""

    most = _MOST_UNPACKED


_PACKED: Final = b"PK\x03\x04"
_KINDS: Final = {
    b"\xd0\xcf\x11\xe0": "xls", b"\x09\x08": "xls", b"%PDF": "PDF", b"{\\rtf": "RTF", b"<!doctype": "HTML",
    b"<html": "HTML", b"<table": "HTML", b"<?xml": "XML", b"\x89PNG": "PNG", b"\xff\xd8\xff": "JPEG",
    b"\x1f\x8b": "GZIP",
}  # fmt: skip
_PACKED_KINDS: Final = {
    ".iwa": "numbers",
    "Index.zip": "numbers",
    "xl/workbook.bin": "XLSB",
    "word/document.xml": "DOCX",
}


def file_kind(content: bytes) -> str:
    """Detect the kind of a file: ``sheets``, the name of an unreadable format, or "" for text."""
    if not content.startswith(_PACKED):
        begin = content.removeprefix(b"\xef\xbb\xbf").lstrip()[:16].lower()
        return next((kind for mark, kind in _KINDS.items() if begin.startswith(mark.lower())), "")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            names = packed.namelist()
    except _BROKEN:
        return "sheets"
    return next(
        (kind for end, kind in _PACKED_KINDS.items() if any(n.endswith(end) for n in names)), "sheets"
    )


def read_sheets(content: bytes) -> tuple[Sheet, ...]:
    """Return the sheets with content. Raises BadSpreadsheet or TooLargeSpreadsheet."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            if sum(part.file_size for part in packed.infolist()) > _MOST_UNPACKED:
                raise TooLargeSpreadsheet
            parts = _Parts(packed)
            if parts.has("content.xml"):
                reader = _OdsReader()
                parts.parse("content.xml", reader.start, reader.end, reader.text)
                sheets = reader.sheets
            elif parts.has("xl/workbook.xml"):
                sheets = list(_read_xlsx(parts))
            else:
                raise BadSpreadsheet("the file holds no sheets")
    except _BROKEN as error:
        raise BadSpreadsheet(str(error).splitlines()[0] if str(error) else type(error).__name__) from error
    return tuple(sheet for sheet in sheets if sheet.rows)


class _Parts:
    """The parts of a ZIP archive, with a common limit on the bytes unpacked, whatever sizes they claim."""

    def __init__(self, packed: zipfile.ZipFile) -> None:
        self._packed = packed
        self._left = _MOST_UNPACKED
        # Some programs write backslashes, or names in varying case.
        self._names = {name.replace("\\", "/").lower(): name for name in packed.namelist()}

    def has(self, name: str) -> bool:
        return name.lower() in self._names

    def parse(
        self,
        name: str,
        start: Callable[[str, Mapping[str, str]], None],
        end: Callable[[str], None] = lambda _: None,
        text: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Parse a part as XML. The callbacks get names without namespace prefixes."""
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = _refuse_type
        parser.StartElementHandler = lambda tag, attributes: start(
            _local(tag), {_local(key): value for key, value in attributes.items()}
        )
        parser.EndElementHandler = lambda tag: end(_local(tag))
        parser.CharacterDataHandler = text
        with self._packed.open(self._names[name.lower()]) as part:
            while piece := part.read(_PIECE):
                self._left -= len(piece)
                if self._left < 0:
                    raise TooLargeSpreadsheet
                parser.Parse(piece, False)
        parser.Parse(b"", True)


def _refuse_type(*_: object) -> None:
    raise BadSpreadsheet("it declares a document type")


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _read_xlsx(parts: _Parts) -> Iterator[Sheet]:
    targets: dict[str, str] = {}
    sheets: list[tuple[str, str, bool]] = []

    def _relation(tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "Relationship":
            targets[attributes["Id"]] = posixpath.normpath(
                posixpath.join("/xl", attributes["Target"])
            ).lstrip("/")

    def _sheet(tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "sheet":
            is_hidden = attributes.get("state", "visible") != "visible"
            sheets.append((attributes["name"], attributes["id"], is_hidden))

    parts.parse("xl/_rels/workbook.xml.rels", _relation)
    parts.parse("xl/workbook.xml", _sheet)
    shared = _Shared()
    if parts.has("xl/sharedStrings.xml"):
        parts.parse("xl/sharedStrings.xml", shared.start, shared.end, shared.text)
    for name, key, is_hidden in sheets:
        target = targets.get(key, "")
        if parts.has(target) and "chartsheets" not in target:
            reader = _XlsxSheet(shared.strings)
            parts.parse(target, reader.start, reader.end, reader.text)
            yield reader.rows.sheet(name, is_hidden=is_hidden)


class _Shared:
    def __init__(self) -> None:
        self.strings: list[str] = []
        self._pieces: list[str] = []
        self._is_text = False
        self._reading = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        del attributes
        self._is_text = tag == "t" and not self._reading
        self._reading += tag == "rPh"
        if tag == "si":
            self._pieces = []

    def end(self, tag: str) -> None:
        self._is_text = False
        self._reading -= tag == "rPh"
        if tag == "si":
            self.strings.append(_unescape("".join(self._pieces)))

    def text(self, piece: str) -> None:
        if self._is_text:
            self._pieces.append(piece)


class _XlsxSheet:
    def __init__(self, shared: list[str]) -> None:
        self.rows = SheetRows()
        self._shared = shared
        self._row = self._column = 0
        self._kind = ""
        self._cells: dict[int, str] = {}
        self._pieces: list[str] = []
        self._is_value = self._is_hidden = False
        self._reading = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Handle a start tag. Cells and rows without a reference follow the previous ones."""
        self._is_value = tag in {"v", "t"} and not self._reading
        match tag:
            case "row":
                self._row = int(attributes.get("r", self._row + 1))
                self._column = -1
                self._cells = {}
                self._is_hidden = attributes.get("hidden") in _TRUE
            case "c":
                place = _COLUMN.fullmatch(attributes.get("r", ""))
                self._column = self._column + 1 if place is None else _column_number(place[1])
                self._kind = attributes.get("t", "n")
                self._pieces = []
            case "rPh":
                self._reading += 1
            case "mergeCell":
                if place := _MERGED.fullmatch(attributes.get("ref", "")):
                    self.rows.merge(int(place[2]), int(place[3]), _column_number(place[1]))
            case _:
                pass

    def end(self, tag: str) -> None:
        self._is_value = False
        match tag:
            case "c":
                value = self._value("".join(self._pieces))
                if value and not value.isspace():
                    self._cells[self._column] = value
            case "row":
                self.rows.add(self._row, 1, self._cells, is_hidden=self._is_hidden)
            case "rPh":
                self._reading -= 1
            case _:
                pass

    def text(self, piece: str) -> None:
        if self._is_value:
            self._pieces.append(piece)

    def _value(self, written: str) -> str:
        if self._kind == "s":
            return self._shared[int(written)] if written else ""
        if self._kind == "b":
            return "TRUE" if written == "1" else "FALSE"
        return _number(written) if self._kind == "n" else _unescape(written)


def _column_number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1


def _unescape(text: str) -> str:
    """Decode control characters that a workbook escapes as ``_x000D_``."""
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def _number(written: str) -> str:
    try:
        number = float(written)
    except ValueError:
        return written
    return str(int(number)) if number.is_integer() else str(number)


class _OdsReader:
    def __init__(self) -> None:
        self.sheets: list[Sheet] = []
        self._rows = SheetRows()
        self._name = ""
        self._row = 1
        self._column = self._row_times = self._cell_times = 0
        self._cells: dict[int, str] = {}
        self._pieces: list[str] = []
        self._notes = self._paragraphs = 0
        self._style = ""
        self._is_hidden = self._is_row_hidden = False
        self._hidden_styles: set[str] = set()

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        match tag:
            case "style":
                self._style = attributes.get("name", "")
            case "table-properties" if attributes.get("display") == "false":
                self._hidden_styles.add(self._style)
            case "table":
                self._rows, self._name, self._row = SheetRows(), attributes.get("name", ""), 1
                self._is_hidden = attributes.get("style-name") in self._hidden_styles
            case "table-row":
                self._is_row_hidden = attributes.get("visibility", "visible") != "visible"
                self._row_times = int(attributes.get("number-rows-repeated", "1"))
                self._column = 0
                self._cells = {}
            case "table-cell" | "covered-table-cell":
                self._cell_times = int(attributes.get("number-columns-repeated", "1"))
                self._pieces = []
                last = self._row + int(attributes.get("number-rows-spanned", "1")) - 1
                self._rows.merge(self._row, last, self._column)
            case "annotation":
                self._notes += 1
            case "p":
                self._paragraphs += 1
                self.text("\n" if self._pieces else "")
            case "s" | "tab" | "line-break":
                self.text(" ")
            case _:
                pass

    def end(self, tag: str) -> None:
        match tag:
            case "table":
                self.sheets.append(self._rows.sheet(self._name, is_hidden=self._is_hidden))
            case "table-row":
                self._rows.add(self._row, self._row_times, self._cells, is_hidden=self._is_row_hidden)
                self._row += self._row_times
            case "table-cell" | "covered-table-cell":
                self._end_cell("".join(self._pieces))
            case "annotation":
                self._notes -= 1
            case "p":
                self._paragraphs -= 1
            case _:
                pass

    def _end_cell(self, value: str) -> None:
        if value and not value.isspace():
            last = min(self._column + self._cell_times, MOST_COLUMNS + 1)
            # One cell beyond the limit is kept, to report that there are more.
            columns = range(self._column, last) if self._column < last else (self._column,)
            self._cells.update(dict.fromkeys(columns, value))
        self._column += self._cell_times

    def text(self, piece: str) -> None:
        """Handle a piece of text, ignoring comments on cells."""
        if self._paragraphs and not self._notes:
            self._pieces.append(piece)
