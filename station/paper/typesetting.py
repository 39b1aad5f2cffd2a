"""Typeset papers as PDF files and pictures with Typst (decision 0027), and decode uploaded logos.

Run as a program, it does one of these within limits; ``station/paper/worker.py`` starts it.
"""

import re
import sys
from collections.abc import Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import IO, Final

import msgspec
import typst
from msgspec.structs import replace
from PIL import Image, ImageOps

from base.fonts import FOLDER as FONTS
from base.fonts import SCRIPTS
from base.fonts.coverage import letters_of, missing_letters
from base.right_to_left import isolated
from base.system import limit_process, lower_priority
from core.text.sentence import amounts_in
from station.paper.layouts import AnyLayout, Certificates, Chapters, Paper, PaperForm, PaperLayout, PlanPage

_HERE: Final = Path(__file__).parent
_TEMPLATE: Final = _HERE / "templates" / "paper.typ"
_PREVIEW_PPI: Final = 60.0
_THUMBNAIL_PPI: Final = 32.0
_FIRST_PAGE: Final[Mapping[type[PaperLayout], int]] = {Certificates: 2, PlanPage: 10_000}
_MOST_ROWS: Final = 150
"""The most rows, cards or other parts that the first page of a paper shows, and exceptions by layout."""
_MOST_CPU_S: Final = 1_200
"""The limit of CPU time, summed over all threads."""
_LETTER: Final = "[!-\u02ff\u0370-\u058f\u05d0-\u05ea]"
"""Letters between which a word may break: other scripts join or stack theirs, or break by themselves."""
_LONG_WORD: Final = re.compile(f"{_LETTER}{{8}}(?={_LETTER}{{8}})")
_WORD: Final = re.compile(r"\S+")
_COPIED: Final = re.compile(r"\S{1,40}@\S{1,40}|[0-9a-f]{64}")
"""Words that people may copy, and that therefore get no breaks: email addresses, seeds and seals."""
_PICTURES: Final = frozenset({"qr", "logo"})
_DOTS: Final = "…"
_BREAK: Final = "\u200b"
"""A zero-width space, where a long word may break instead of running off the page."""


def pdf_of(paper: Paper) -> bytes:
    """Return a paper as a PDF file. Blocks."""
    made = _compiler(paper).compile(format="pdf")
    assert isinstance(made, bytes)
    return made


def pictures_of(paper: Paper) -> tuple[bytes, ...]:
    """Return each page of a paper as a PNG picture, for a preview. Blocks."""
    made = _compiler(paper).compile(format="png", ppi=_PREVIEW_PPI)
    return tuple(made) if isinstance(made, list) else (made or b"",)


def thumbnail_of(paper: Paper) -> bytes:
    """Return a small PNG picture of a paper's first page. Blocks."""
    made = _compiler(replace(paper, body=_shortened(paper.body))).compile(format="png", ppi=_THUMBNAIL_PPI)
    return (made[0] if isinstance(made, list) else made) or b""


def _shortened(body: AnyLayout) -> AnyLayout:
    """Return a layout with at least the content of its first page."""
    if isinstance(body, Chapters):
        parts = ((title, replace(table, rows=table.rows[:_MOST_ROWS])) for title, table in body.chapters)
        return replace(body, chapters=tuple(parts))
    most = _FIRST_PAGE.get(type(body), _MOST_ROWS)
    lists = {name: part for name, part in msgspec.structs.asdict(body).items() if isinstance(part, tuple)}
    return replace(body, **{name: part[:most] for name, part in lists.items()})


_LOGO_PX: Final = 640
_LOGO_MEGAPIXELS: Final = 24
_RASTER: Final = (b"\x89PNG", b"\xff\xd8\xff")
_DRAWN: Final = b"""#set page(width: 160mm, height: 160mm, margin: 0mm, fill: none)
#image(bytes(sys.inputs.svg), format: "svg", width: 100%, height: 100%, fit: "contain")"""


def logo_of(content: bytes) -> bytes:
    """Return a PNG, JPEG or SVG picture as a small PNG file, or nothing if it can't be read. Blocks."""
    try:
        if not content.startswith(_RASTER):
            drawing = typst.Compiler(
                _DRAWN, root=_TEMPLATE.parent, font_paths=fonts(), sys_inputs={"svg": content.decode()}
            ).compile(format="png", ppi=100.0)
            assert isinstance(drawing, bytes)
            content = drawing
        with Image.open(BytesIO(content), formats=("PNG", "JPEG")) as opened:
            if opened.width * opened.height > _LOGO_MEGAPIXELS * 1_000_000:
                return b""
            logo = ImageOps.exif_transpose(opened).convert("RGBA")
    except (OSError, ValueError, SyntaxError, EOFError, RuntimeError):
        return b""
    if (box := logo.getbbox()) is None:
        return b""
    logo = logo.crop(box)
    logo.thumbnail((_LOGO_PX, _LOGO_PX))
    out = BytesIO()
    logo.save(out, "PNG")
    return out.getvalue()


def _content(paper: Paper) -> str:
    text = msgspec.json.encode(_printable(msgspec.to_builtins(paper))).decode()
    return amounts_in(text, paper.language)


def _printable(value: object) -> object:
    """Prepare all texts of a value, except pictures, which are SVG.

    Long words may break, names from right to left reorder nothing, and dots stand for letters without a font.
    """
    match value:
        case str():
            text = value if value.isascii() else isolated(_dotted(value))
            return _WORD.sub(lambda word: _with_breaks(word[0]), text)
        case dict():
            return {key: item if key in _PICTURES else _printable(item) for key, item in value.items()}
        case list() | tuple():
            return [_printable(item) for item in value]
        case _:
            return value


def _dotted(text: str) -> str:
    missing = missing_letters(text, letters_of_paper())
    return re.sub(f"[{re.escape(missing)}]+", _DOTS, text) if missing else text


def _with_breaks(word: str) -> str:
    return word if _COPIED.fullmatch(word) else _LONG_WORD.sub(rf"\g<0>{_BREAK}", word)


@cache
def fonts() -> typst.Fonts:
    """Return our fonts and the system's, which cover more scripts. The first call takes a while."""
    return typst.Fonts(font_paths=[FONTS, SCRIPTS])


@cache
def letters_of_paper() -> frozenset[int]:
    """Return the code points that papers can show. Blocks; the first call reads all fonts."""
    faces = {(font.path, font.index) for font in fonts().fonts() if font.path is not None}
    return frozenset().union(*(letters_of(Path(path), index) for path, index in faces))


def _compiler(paper: Paper) -> typst.Compiler:
    return typst.Compiler(
        _TEMPLATE, root=_TEMPLATE.parent, font_paths=fonts(), sys_inputs={"paper": _content(paper)}
    )


LOGO: Final = "logo"
"""The program's first argument for a logo; those for papers are the values of PaperForm."""


def main(form: str, most: int, source: IO[bytes], out: IO[bytes]) -> None:
    """Typeset a paper read as JSON, or decode a logo.

    most: the memory limit in bytes, on systems that support it.
    """
    limit_process(most, _MOST_CPU_S)
    # Connections to terminals have priority.
    lower_priority()
    content = source.read()
    pages = (logo_of(content),) if form == LOGO else _pages(PaperForm(form), content)
    out.write(msgspec.msgpack.encode(pages))


def _pages(form: PaperForm, content: bytes) -> tuple[bytes, ...]:
    paper = msgspec.json.decode(content, type=Paper)
    match form:
        case PaperForm.PDF:
            return (pdf_of(paper),)
        case PaperForm.PICTURES:
            return pictures_of(paper)
        case PaperForm.THUMBNAIL:
            return (thumbnail_of(paper),)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.stdin.buffer, sys.stdout.buffer)
