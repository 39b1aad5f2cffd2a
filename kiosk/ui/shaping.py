"""Lines of any script as runs of one font each, from left to right, as SDL_ttf draws them.

HarfBuzz, inside SDL_ttf, joins and stacks the letters of a run once it knows their script. A run from right
to left is passed in visual order, which HarfBuzz turns around, as SDL_ttf calls every run left-to-right.
"""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final

import msgspec
from bidi import get_display

from base.fonts import FOLDER, HAN, LAST_LATIN, SCRIPTS
from base.right_to_left import PHRASE
from kiosk.ui.blocks import Typeface

_MIRRORED: Final = str.maketrans("()[]", ")(][")
_FROM_RIGHT: Final = frozenset({"Arab", "Hebr"})
_COMMON: Final = "Zyyy"
"""The ISO 15924 code of letters that belong to no script, which need no shaping."""


class Script(msgspec.Struct, frozen=True):
    """A script: its ISO 15924 code, its two weights, and their share of the type size.

    Fonts with tall or deep letters are set smaller, so that a line is as high as one of Latin letters.
    """

    code: str
    medium: Path
    bold: Path
    share: float


def _noto(code: str, name: str, share: float) -> Script:
    return Script(code, SCRIPTS / f"NotoSans{name}-Medium.ttf", SCRIPTS / f"NotoSans{name}-Bold.ttf", share)


def _dejavu(code: str) -> Script:
    return Script(code, SCRIPTS / "DejaVuSans.ttf", SCRIPTS / "DejaVuSans-Bold.ttf", 0.86)


_OTHER: Final = _dejavu(_COMMON)
_HAN: Final = Script(_COMMON, HAN, HAN, 0.92)
_SCRIPTS: Final = {
    "ARABIC": _dejavu("Arab"),
    "HEBREW": _dejavu("Hebr"),
    "THAI": _noto("Thai", "Thai", 0.84),
    "DEVANAGARI": _noto("Deva", "Devanagari", 0.8),
    **dict.fromkeys(("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "IDEOGRAPHIC", "FULLWIDTH"), _HAN),
}
"""By the first word of a letter's name in Unicode."""


class TextRun(msgspec.Struct, frozen=True):
    """Letters of one font, in visual order. ``script`` is None for those of the text face itself."""

    text: str
    script: Script | None

    def file(self, face: Typeface) -> Path:
        """Return the font file for this run beside text of a face."""
        if self.script is None:
            return FOLDER / f"{face.value}.ttf"
        return self.script.medium if face is Typeface.TEXT else self.script.bold

    def size_px(self, size_px: int) -> int:
        return max(1, round(size_px * self.script.share)) if self.script else size_px


PLAIN: Final = TextRun("", None)


@lru_cache(maxsize=512)
def runs(text: str) -> tuple[TextRun, ...]:
    """Split a line into runs, from left to right. The line itself is read from the left."""
    if text.isascii() or max(text) <= LAST_LATIN:
        return (TextRun(text, None),)
    parts = PHRASE.split(unicodedata.normalize("NFC", text))
    # Every second part is a phrase from right to left, whose brackets open on the other side.
    phrases = (get_display(part, base_dir="R").translate(_MIRRORED) for part in parts[1::2])
    parts[1::2] = phrases
    visual = "".join(parts)
    return tuple(TextRun(_drawable("".join(run), script), script) for script, run in _by_script(visual))


def _by_script(visual: str) -> Iterator[tuple[Script | None, Iterator[str]]]:
    scripts: list[Script | None] = []
    for letter in visual:
        script = _script_of(letter)
        # A mark of no script, or a joiner, is drawn in the font of the letter before, if that has it.
        if scripts and script is _OTHER and unicodedata.category(letter) in {"Mn", "Me", "Cf"}:
            script = scripts[-1] = scripts[-1] or _OTHER
        scripts.append(script)
    letters = iter(visual)
    for script, group in groupby(scripts):
        yield script, (next(letters) for _ in group)


def _drawable(visual: str, script: Script | None) -> str:
    """Put the marks of turned letters after them again: HarfBuzz turns whole letters, not code points."""
    if script is None or script.code not in _FROM_RIGHT:
        return visual
    letters: list[str] = []
    for letter in reversed(visual):
        if letters and unicodedata.combining(letter):
            letters[-1] += letter
        else:
            letters.append(letter)
    return "".join(reversed(letters))


def _script_of(letter: str) -> Script | None:
    if letter <= LAST_LATIN or unicodedata.category(letter)[0] in "PZ":
        return None
    word = unicodedata.name(letter, "").replace("-", " ").partition(" ")[0]
    script = _SCRIPTS.get(word, _OTHER)
    return script if script.bold.exists() else _OTHER
