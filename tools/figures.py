"""Measure how easy the tree is to read, and compare each figure with its limit and its aim.

    python tools/figures.py           print the table
    python tools/figures.py --check   also exit with status 1 when a figure is over its limit

Limits are what the tree has reached: lower them when a figure improves. Lines are reported, not limited.
"""

import ast
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from rich.console import Console
from rich.table import Table

ROOT: Final = Path(__file__).parents[1]
ROOMS: Final = ("base", "core", "sync", "hardware", "kiosk", "station", "demo")
SMALL_LINES: Final = 60
RIDDLES: Final = re.compile(r"(What|Who|Whoever|Whether|How|Where|When|Why)\b")
MODULE_NAME: Final = re.compile(r"saloon(\.\w+)+")
SHARED_NAMES: Final[Mapping[str, str]] = {
    "PlayerWarned": "a table's log and the tournament's record a warning, which is the same to a judge",
    "StepsUndone": "a game and a tournament take back steps in the same way, by the same name in the log",
    "WarnPlayer": "a judge warns at a table or at the station, by the same name",
    "Words": "the core needs one function of it; screen and pages add theirs",
}
"""Names of public classes that may be used more than once, each with the reason."""


class Module(NamedTuple):
    """A parsed module of the product. name: dotted, as in imports."""

    name: str
    path: Path
    lines: int
    tree: ast.Module


class Figure(NamedTuple):
    """A row of the table. limit: allowed by `make check`; None for no limit. aim: the project's target."""

    name: str
    value: int
    limit: int | None
    aim: str

    @property
    def is_over(self) -> bool:
        """Return whether the figure exceeds its limit."""
        return self.limit is not None and self.value > self.limit


def read_modules(root: Path) -> tuple[Module, ...]:
    """Parse all modules of the product's packages."""
    found = []
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            parts = path.relative_to(root).with_suffix("").parts
            name = ".".join(("saloon", *(parts[:-1] if parts[-1] == "__init__" else parts)))
            found.append(Module(name, path, len(source.splitlines()), ast.parse(source)))
    return tuple(found)


def count_loose_modules(modules: tuple[Module, ...]) -> Counter[Path]:
    """Count the modules directly in each folder, without `__init__.py`."""
    return Counter(module.path.parent for module in modules if module.path.name != "__init__.py")


def imports_of(module: Module, names: frozenset[str]) -> set[str]:
    """Return the product modules that a module imports, or names in a string for a late import."""
    found: set[str] = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and MODULE_NAME.match(node.value):
            found.add(node.value.split(":")[0])
    return found & names - {module.name}


def find_unused(modules: tuple[Module, ...], root: Path) -> tuple[Module, ...]:
    """Return modules that no installed program imports, only tests, benchmarks or pictures."""
    names = frozenset(module.name for module in modules)
    by_name = {module.name: module for module in modules}
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    waiting = [entry.split(":")[0] for entry in project["scripts"].values()]
    waiting += [module.name for module in modules if _is_program(module)]
    # Alembic finds migrations by their file names, the station its pages.
    waiting += [module.name for module in modules if {"migrations", "web"} & set(module.path.parts)]
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += imports_of(by_name[name], names)
    packages = {name[:dot] for name in reached for dot, sign in enumerate(name) if sign == "."}
    return tuple(module for module in modules if module.name not in reached | packages)


def _is_program(module: Module) -> bool:
    return any(isinstance(node, ast.If) and "__main__" in ast.dump(node.test) for node in module.tree.body)


def find_lone_small(modules: tuple[Module, ...]) -> tuple[Module, ...]:
    """Return small modules imported by a single other module, of which they are probably a part."""
    names = frozenset(module.name for module in modules)
    importers: defaultdict[str, set[str]] = defaultdict(set)
    for module in modules:
        for name in imports_of(module, names):
            importers[name].add(module.name)
    return tuple(
        module
        for module in modules
        if module.lines < SMALL_LINES
        and module.path.name != "__init__.py"
        and len(importers[module.name]) == 1
    )


def docstrings(modules: tuple[Module, ...]) -> Iterator[str]:
    """Yield all docstrings of modules, classes, functions and constants."""
    for module in modules:
        for node in ast.walk(module.tree):
            match node:
                case ast.Expr(ast.Constant(str(text))):
                    yield text
                case _:
                    pass


def find_shared_names(modules: tuple[Module, ...]) -> set[str]:
    """Return names of public classes defined in several modules, except those with a reason."""
    named = Counter(
        node.name
        for module in modules
        for node in module.tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    return {name for name, count in named.items() if count > 1} - SHARED_NAMES.keys()


def english_pages(docs: Path) -> Iterator[Path]:
    """Yield the English pages of the documentation, without translated guides."""
    return (page for page in docs.rglob("*.md") if page.parent.parent != docs / "guides")


def count_words(files: Iterator[Path]) -> int:
    """Count the words in text files, ignoring the characters that draw tables and lists."""
    return sum(
        any(map(str.isalnum, word)) for file in files for word in file.read_text(encoding="utf-8").split()
    )


def measure(root: Path) -> tuple[Figure, ...]:
    """Measure the tree in this folder."""
    modules = read_modules(root)
    texts = tuple(docstrings(modules))
    riddles = sum(bool(RIDDLES.match(text)) for text in texts)
    decisions = root / "docs" / "development" / "decisions"
    return (
        Figure("loose modules in the fullest folder", max(count_loose_modules(modules).values()), 18, "20"),
        Figure("small modules with one importer", len(find_lone_small(modules)), 6, "15"),
        Figure("lines that no program uses", sum(m.lines for m in find_unused(modules, root)), 0, "0"),
        Figure("product lines", sum(module.lines for module in modules), None, "84,000"),
        Figure("docstrings that open as a question", riddles, 0, "0"),
        Figure("class names used more than once", len(find_shared_names(modules)), 0, "10"),
        Figure("decision records", len(list(decisions.glob("0*.md"))), 25, "25"),
        Figure("words in docs", count_words(english_pages(root / "docs")), 49_300, "50,000"),
    )


def main(arguments: list[str]) -> int:
    """Print the table; return the exit status."""
    figures = measure(ROOT)
    table = Table("figure", "now", "limit", "aim")
    for figure in figures:
        mark = "over: " if figure.is_over else ""
        table.add_row(
            figure.name,
            f"{mark}{figure.value:,}",
            "-" if figure.limit is None else f"{figure.limit:,}",
            figure.aim,
        )
    Console().print(table)
    return int("--check" in arguments and any(figure.is_over for figure in figures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
