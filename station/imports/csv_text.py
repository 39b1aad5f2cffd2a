"""Read CSV and similar formats into lines of cells, detecting encodings and separators."""

import codecs
import contextlib
import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final

import msgspec

ENCODINGS: Final[Mapping[str, str]] = {
    "utf-8": "UTF-8 (ò ł ř)",
    "twice": "UTF-8 × 2 (Ã² → ò)",
    "cp1252": "Windows-1252 (ò ü ñ)",
    "cp1250": "Windows-1250 (ł ř ő)",
    "cp1251": "Windows-1251 (Иван)",
    "cp1253": "Windows-1253 (Ιάσων)",
    "cp1254": "Windows-1254 (ş ğ ı)",
    "cp1255": "Windows-1255 (דנה)",
    "cp1256": "Windows-1256 (علي)",
    "cp1257": "Windows-1257 (ā ė ž)",
    "iso8859-2": "ISO 8859-2 (ł ř ő)",
    "mac_roman": "Mac Roman (ò ü ñ)",
    "cp850": "DOS 850 (ò ü ñ)",
    "cp852": "DOS 852 (ł ř ő)",
    "cp932": "Shift-JIS (太郎)",
    "gb18030": "GB 18030 (王伟)",
    "big5": "Big5 (陳怡)",
    "cp949": "EUC-KR (김철수)",
    "utf-16": "UTF-16",
}
"""The encodings that a judge can choose, with sample characters."""
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SEPARATORS: Final = (",", ";", "\t", "|")
_SEPARATOR_LINE: Final = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)
_LINES_LOOKED_AT: Final = 30
FIRST_ROWS: Final = 10
"""The most lines that may precede the titles, such as an event's name and empty lines."""
_QUOTED_LINE: Final = re.compile(r'"(?:[^"]|"")*"')

Lines = Iterator[tuple[int, list[str]]]
"""Line numbers, from 1, with their cells."""


class BrokenLine(Exception):
    """Raised for a line that is not valid CSV."""

    def __init__(self, line: int, fault: str) -> None:
        self.line = line
        super().__init__(fault)


class WrongEncoding(Exception):
    """Raised for text that can't be decoded. ``line`` is None if no encoding was chosen."""

    def __init__(self, line: int | None = None) -> None:
        self.line = line
        super().__init__(line)


class DecodedText(msgspec.Struct, frozen=True):
    """Decoded text.

    encoding: a key of ENCODINGS.
    guessed: the numbers of the lines that were not UTF-8 and were read as Windows-1252.
    """

    text: str
    encoding: str
    guessed: tuple[int, ...] = ()

    @property
    def is_guessed(self) -> bool:
        """Return whether no line was UTF-8, so that the whole text was read as Windows-1252."""
        return self.encoding == "cp1252" and bool(self.guessed)


def decode(content: bytes, encoding: str) -> DecodedText:
    """Decode text with a chosen encoding, or detect it. Raises WrongEncoding."""
    if encoding:
        return DecodedText(_decode_as(content, encoding), encoding)
    codec = next((name for bom, name in _BOMS if content.startswith(bom)), None) or _without_bom(content)
    try:
        return DecodedText(content.decode(codec), "utf-8" if codec.startswith("utf-8") else "utf-16")
    except UnicodeDecodeError:
        return _decode_by_line(content)


def _decode_as(content: bytes, encoding: str) -> str:
    try:
        if encoding == "twice":
            return "\n".join(repaired(line) or line for line in content.decode("utf-8-sig").splitlines())
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise WrongEncoding(len(content[: error.start].splitlines()) or 1) from error


def _decode_by_line(content: bytes) -> DecodedText:
    """Decode each line as UTF-8, or else as Windows-1252, as several programs may have added lines."""
    lines, guessed, has_utf8 = list[str](), list[int](), False
    for number, line in enumerate(content.splitlines(keepends=True), 1):
        try:
            lines.append(line.decode("utf-8"))
            has_utf8 |= not line.isascii()
        except UnicodeDecodeError:
            guessed.append(number)
            try:
                lines.append(line.decode("cp1252"))
            except UnicodeDecodeError as error:
                raise WrongEncoding from error
    return DecodedText("".join(lines), "utf-8" if has_utf8 else "cp1252", tuple(guessed))


def _without_bom(content: bytes) -> str:
    """Guess the encoding of a file without a BOM. UTF-16 has a zero byte next to almost every letter."""
    sample = content[:400]
    if len(sample) >= 2 and sample.count(0) * 4 >= len(sample):  # noqa: PLR2004 (one letter)
        return "utf-16-le" if sample[1::2].count(0) > sample[0::2].count(0) else "utf-16-be"
    return "utf-8"


def repaired(text: str) -> str | None:
    """Return the original of a text whose UTF-8 was decoded as Windows-1252, or None if it wasn't."""
    if text.isascii():
        return None
    try:
        return b"".join(_octet(letter) for letter in text).decode("utf-8")
    except UnicodeError:
        return None


def _octet(letter: str) -> bytes:
    try:
        return letter.encode("cp1252")
    except UnicodeEncodeError:
        # Windows maps the undefined bytes of its table to control characters.
        return letter.encode("latin-1")


def lines_of(text: str, count_titles: Callable[[list[str]], int]) -> Lines:
    """Yield the lines of a text that is not blank, from the first one with content. Raises BrokenLine.

    count_titles: returns how many cells of a line are column titles, or 0 if none is a name's.
    """
    written = text.lstrip("\ufeff").splitlines(keepends=True)
    first = next(number for number, line in enumerate(written) if line.strip())
    chosen = _SEPARATOR_LINE.fullmatch(written[first].rstrip("\r\n"))
    if chosen is not None:
        first += 1
        separator = chosen[1]
    else:
        sample = written[first : first + _LINES_LOOKED_AT]
        separator = _separator(sample, count_titles)
        if not _best(sample, separator, count_titles) and all(map(_is_quoted, written[first:])):
            # A program has quoted whole lines.
            written = [_unquoted(line) for line in written]
            separator = _separator(written[first : first + _LINES_LOOKED_AT], count_titles)
    return _cells(written, first, separator)


def _cells(written: list[str], first: int, separator: str) -> Lines:
    content = io.StringIO("".join(written[first:]), newline="")
    reader = csv.reader(content, delimiter=separator, strict=True)
    before = 0
    try:
        for cells in reader:
            yield first + 1 + before, cells
            before = reader.line_num
    except csv.Error as error:
        raise BrokenLine(first + 1 + before, str(error)) from error


def _separator(sample: list[str], count_titles: Callable[[list[str]], int]) -> str:
    """Return the separator that yields the most titles, or without any titles the most frequent one."""
    return max(
        _SEPARATORS,
        key=lambda one: (_best(sample, one, count_titles), sample[0].count(one) if sample else 0),
    )


def _best(sample: list[str], separator: str, count_titles: Callable[[list[str]], int]) -> int:
    reader = csv.reader(io.StringIO("".join(sample), newline=""), delimiter=separator)
    most = 0
    with contextlib.suppress(csv.Error):
        for cells in islice((row for row in reader if any(row)), FIRST_ROWS):
            most = max(most, count_titles(cells))
    return most


def _is_quoted(line: str) -> bool:
    return not line.strip() or _QUOTED_LINE.fullmatch(line.strip()) is not None


def _unquoted(line: str) -> str:
    return line.strip()[1:-1].replace('""', '"') + "\n"


_STRANGE: Final = re.compile(
    # Characters not used in names; capitals within words; three letters in a row that aren't English.
    "[^\\w\\s'’‘´`.,;:()/&\"“”«»+!?#@*·º°ª–—\u200c\u200d-]|[ƒˆ˜¹²³¼½¾µ]|[a-zß-ÿ][ŠŒŽŸ]|[^\\W\\d_a-zA-Z]{3}"
)


def is_strange(text: str) -> bool:
    """Return whether a name decoded as Windows-1252 probably has another encoding."""
    return _STRANGE.search(text) is not None
