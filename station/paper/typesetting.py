"""Typeset papers as PDF files and pictures with Typst (decision 0027).

Run as a program, it typesets one paper within limits; ``station/paper/worker.py`` starts it.
"""

import re
import sys
from functools import cache
from pathlib import Path
from typing import IO, Final

import msgspec
import typst

from base.fonts import FOLDER as FONTS
from base.fonts import SCRIPTS
from base.system import limit_process, step_back
from core.text.sentence import amounts_in
from station.paper.layouts import Paper, PaperForm

_HERE: Final = Path(__file__).parent
_TEMPLATE: Final = _HERE / "templates" / "paper.typ"
_PREVIEW_PPI: Final = 60.0
_MOST_CPU_S: Final = 1_200
"""The limit of CPU time, summed over all threads."""
_LONG_WORD: Final = re.compile(r"\S{8}(?=\S{8})")
_WORD: Final = re.compile(r"\S+")
_COPIED: Final = re.compile(r"\S{1,40}@\S{1,40}|[0-9a-f]{64}")
"""Words that people copy, and that must not contain breaks: email addresses, seeds and seals."""
_CODE: Final = "qr"
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


def _content(paper: Paper) -> str:
    text = msgspec.json.encode(_breakable(msgspec.to_builtins(paper))).decode()
    return amounts_in(text, paper.language)


def _breakable(value: object) -> object:
    """Return a value with break opportunities in long words. QR codes, which are SVG, are unchanged."""
    match value:
        case str():
            return _WORD.sub(lambda word: _with_breaks(word[0]), value)
        case dict():
            return {key: found if key == _CODE else _breakable(found) for key, found in value.items()}
        case list() | tuple():
            return [_breakable(found) for found in value]
        case _:
            return value


def _with_breaks(word: str) -> str:
    return word if _COPIED.fullmatch(word) else _LONG_WORD.sub(rf"\g<0>{_BREAK}", word)


@cache
def fonts() -> typst.Fonts:
    """Return our fonts and the system's, which cover more scripts. Finding them takes a while."""
    return typst.Fonts(font_paths=[FONTS, SCRIPTS])


def _compiler(paper: Paper) -> typst.Compiler:
    return typst.Compiler(
        _TEMPLATE, root=_TEMPLATE.parent, font_paths=fonts(), sys_inputs={"paper": _content(paper)}
    )


def main(form: PaperForm, most: int, given: IO[bytes], out: IO[bytes]) -> None:
    """Typeset a paper read as JSON. most: bytes of memory, where the system can limit them."""
    limit_process(most, _MOST_CPU_S)
    # Connections to terminals have priority.
    step_back()
    paper = msgspec.json.decode(given.read(), type=Paper)
    pages = (pdf_of(paper),) if form is PaperForm.PDF else pictures_of(paper)
    out.write(msgspec.msgpack.encode(pages))


if __name__ == "__main__":
    main(PaperForm(sys.argv[1]), int(sys.argv[2]), sys.stdin.buffer, sys.stdout.buffer)
