"""Docstrings, screens and documentation are plain English, as British dictionaries have it."""

import ast
import re
import subprocess
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

import pytest
from babel.messages.pofile import read_po

from tools.figures import Module, read_modules

ROOT = Path(__file__).parents[1]

BETRAYING: Final = re.compile(
    r"""
      \b(?:the|an)\ own\b               # their own, your own
    | \banew\b                          # again
    | (?<!is\ )(?<!are\ )(?<!been\ )\btold\b(?!\ apart)   # shown, reported; people may be told
    | \btells?\ of\b
    | \bstands\b(?!\ (?:for|alone)\b)   # is
    | \bso\ many\b                      # a number of
    | \bwhoever\b                       # the player who
    | \bow(?:es?|ed|ing)\b              # missing, not received
    | \d\ signs\b                       # characters
    | \bmend(?:s|ed|ing)?\b             # fix
    | \btak(?:e|es|en|ing)\ in\b | \btook\ in\b           # import, enrol
    | \bpull(?:s|ed|ing)?\ (?:it\ )?out\b                 # eject, unplug
    | \bin\ vain\b
    | \bfrom\ afar\b
    | \b(?:goes|went|is|was|were)\ out\ by\b   # is eliminated by
    | \bas\ usual\b                     # recommended, default
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""The words of rule 5, each with what to write instead where that is not plain."""
NAMES: Final = re.compile(r"`+[^`]*`+|\{\w+\}|\b\w+:")
"""Names of code, placeholders and parameters: words of the program, which rule 5 does not bind."""

ALLOWED: Final = {
    "apply as usual": "A rule that still applies is what the words say.",
    "ends as usual": "A game that ends by the usual rule is what the words say.",
    "ending stands": "A ruling stands: legal English.",
    "record sheet stands": "A ruling stands: legal English.",
    "corrected or stands": "A ruling stands: legal English.",
    "total below $0 stands": "A ruling stands: legal English.",
    "terminal that stands": "The layout of a housing on its feet.",
    "screen that stands": "The layout of a screen on its feet.",
    "box that stands": "The layout of a housing on its feet.",
    "stands at one end": "The layout of a housing on its feet.",
}
"""Phrases with such a word that stay, each with its reason."""


def betrayals(text: str) -> Iterator[str]:
    plain = " ".join(NAMES.sub("·", text).split())
    for phrase in ALLOWED:
        plain = re.sub(re.escape(phrase), "·", plain, flags=re.IGNORECASE)
    for match in BETRAYING.finditer(plain):
        yield plain[max(0, match.start() - 40) : match.end() + 40]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Each player touches the own role.", 1),
        ("The page tells of it, and begins anew. Whoever owes 8 signs mends it in vain.", 7),
        ("told: the report. A total below $0 stands. The judge is told. {told} `owes`", 0),
    ],
)
def test_words_are_found_in_sentences_and_not_in_names(text: str, count: int) -> None:
    assert len(list(betrayals(text))) == count


@pytest.fixture(scope="module")
def product() -> tuple[Module, ...]:
    return read_modules(ROOT)


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements below some, without their expressions, which are most of a tree."""
    for statement in body:
        yield statement
        for name in ("body", "orelse", "finalbody"):
            yield from statements(getattr(statement, name, []))
        for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            yield from statements(part.body)


@pytest.mark.slow
def test_docstrings_are_plain_english(product: tuple[Module, ...]) -> None:
    """Those of constants too, which Python does not keep."""
    texts = [
        (module.name, node.value.value)
        for module in product
        for node in statements(module.tree.body)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]
    assert [f"{name}: {phrase}" for name, text in texts for phrase in betrayals(str(text))] == []


def public_functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public_functions(node.body)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield node


@pytest.mark.slow
def test_functions_longer_than_two_lines_have_docstrings(product: tuple[Module, ...]) -> None:
    """A shorter one needs none if its name and types explain it, nor do methods that a base describes."""
    described = {"accepted", "apply", "decide", "faults", "fold", "move"}
    assert [
        f"{module.name}: {function.name}"
        for module in product
        for function in public_functions(module.tree.body)
        if function.name not in described
        if (function.body[-1].end_lineno or 0) - function.body[0].lineno > 1
        and ast.get_docstring(function) is None
    ] == []


@pytest.mark.slow
def test_the_help_of_commands_is_plain_english(product: tuple[Module, ...]) -> None:
    """A command's own help is its docstring; the help of its options is text."""
    texts = [
        (module.name, node.value.value)
        for module in product
        if "help=" in module.path.read_text(encoding="utf-8")
        for node in ast.walk(module.tree)
        if isinstance(node, ast.keyword) and node.arg == "help" and isinstance(node.value, ast.Constant)
    ]
    assert texts
    assert [f"{name}: {phrase}" for name, text in texts for phrase in betrayals(str(text))] == []


@pytest.mark.slow
@pytest.mark.parametrize("room", ["kiosk", "station"])
def test_screens_are_plain_english(room: str) -> None:
    with (ROOT / room / "locale" / f"{room}.pot").open("rb") as file:
        messages = [message.id for message in read_po(file) if message.id]
    texts = [text for text in messages for text in ([text] if isinstance(text, str) else text)]
    assert [phrase for text in texts for phrase in betrayals(text)] == []


@pytest.mark.slow
def test_documentation_is_plain_english() -> None:
    pages = sorted((ROOT / "docs").rglob("*.md"))
    assert [
        f"{page.name}: {phrase}" for page in pages for phrase in betrayals(page.read_text(encoding="utf-8"))
    ] == []


PAGES: Final = sorted(
    page
    for page in (*ROOT.glob("[CR]*.md"), *(ROOT / "docs").rglob("*.md"))
    if page.parent.name != "it" and page.name != "CODE_OF_CONDUCT.md"
)
CATALOGUES: Final = sorted(ROOT.glob("*/locale/it/LC_MESSAGES/*.po"))
NOT_PROSE: Final = re.compile(
    r"(?ms)^```.*?^```|`[^`\n]*`|^ {4}.*?$|\]\([^)]*\)|<!--.*?-->|<[^>]*>|\S+://\S+|\{[^}]*\}|%\([^)]*\)s"
)
NAME: Final = re.compile(r"\w*(?:\d|[A-Z].*[A-Z])\w*(?:'s)?|\w")
"""A word with a digit or two capitals: of a part, a decision, a product."""
KNOWN: Final = frozenset((Path(__file__).parent / "spelling.txt").read_text(encoding="utf-8").split())
"""Names of people and programs, and words of the trade."""


def misspelt(text: str) -> set[str]:
    command = ("hunspell", "-d", "en_GB", "-i", "utf-8", "-l")
    unknown = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout.split()
    words = {word for word in unknown if not NAME.fullmatch(word)}
    return {word for word in words if word.removesuffix("'s") not in KNOWN}


def test_a_wrong_word_is_found() -> None:
    assert misspelt("A colour of the wrong teh, and the color of Marogi's GPIO4") == {"teh", "color"}


@pytest.mark.slow
def test_documentation_is_spelt_right() -> None:
    texts = (NOT_PROSE.sub(" ", page.read_text(encoding="utf-8")) for page in PAGES)
    assert misspelt("\n".join(texts)) == set()


@pytest.mark.slow
@pytest.mark.parametrize("catalogue", CATALOGUES, ids=lambda path: path.stem)
def test_screen_texts_are_spelt_right(catalogue: Path) -> None:
    with catalogue.open("rb") as file:
        ids = [message.id for message in read_po(file)]
    texts = chain.from_iterable((text,) if isinstance(text, str) else text for text in ids)
    assert misspelt(NOT_PROSE.sub(" ", "\n".join(texts))) == set()
