"""Words in Hebrew, Arabic and other scripts that are read from the right, inside lines read from the left.

The brackets, digits and punctuation between such words and the rest of a line belong to the line, as after
names in Latin letters: with a name isolated, "(2)" stays behind it, and two names stay in their order.
"""

import re
from typing import Final

_LETTER: Final = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_WORD: Final = f"[{_LETTER}][{_LETTER}\u0300-\u036f\u200c\u200d]*"
_INITIALS: Final = rf"(?:[{_LETTER}]\. ?)*"
_WORDS: Final = rf"{_INITIALS}{_WORD}(?:[ \u00a0'’\".-]{_INITIALS}{_WORD})*"
PHRASE: Final = re.compile(rf"({_WORDS}(?: ?\({_WORDS}\)| ?\[{_WORDS}\])*)")
"""Words read from the right that belong together, such as a full name with its club in brackets."""
_FROM_RIGHT, _END = "\u2067", "\u2069"


def isolated(text: str) -> str:
    """Return a text whose phrases read from the right can't reorder what is around them."""
    return text if text.isascii() else PHRASE.sub(rf"{_FROM_RIGHT}\1{_END}", text)


def without_isolates(text: str) -> str:
    """Return a text copied from our pages as it was before ``isolated``."""
    return text.replace(_FROM_RIGHT, "").replace(_END, "")
