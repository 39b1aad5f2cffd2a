"""Measure the tree by room, and hold each figure at the best value it has reached.

    python tools/figures.py            print the report and the gates
    python tools/figures.py --check    exit with status 1 when a figure is not at its limit
    python tools/figures.py --lower    write the figures that have fallen as limits into tools/limits.json
    python tools/figures.py --knots    list the imports between folders that import each other

Limits only fall until they reach the aim; nothing here raises one. Lines are reported, not limited.
"""

import ast
import functools
import gc
import itertools
import json
import re
import statistics
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import grimp
from rich.console import Console
from rich.table import Table

ROOT: Final = Path(__file__).parents[1]
LARGE_LINES: Final = 400
SMALL_LINES: Final = 120
VAGUE_NAMES: Final = {"told", "heard", "shown", "found", "asked", "given"}
VAGUE_MODULES: Final = {
    "parts", "told", "about", "which", "course", "middle", "growing", "remembering", "recorded",
}  # fmt: skip
RIDDLES: Final = re.compile(r"(What|Which|Who|Whoever|Whether|How|Where|When|Why)\b")
SCENES: Final = "kiosk.scenes."
"""The package below which pages and moments name their scenes."""
PAGE: Final = re.compile(r"^\s*(GET|POST|PUT|PATCH|DELETE) /", re.MULTILINE)
ROUTES: Final = re.compile(r"^(?:public_)?routes(?:_of_one)? = ", re.MULTILINE)
OPEN_QUESTION: Final = re.compile(r"\bD\d\d\b")
MANY_QUESTIONS: Final = 10
SHARED_NAMES: Final[Mapping[str, str]] = {
    "Decision": "a game and a tournament each have a base class of their decisions",
    "WarnPlayer": "a judge warns at a table or at the station, by the same name",
    "Words": "the core needs one function of it; screen and pages add theirs",
}
"""Names of public classes that may be used more than once, each with the reason."""


class Module(NamedTuple):
    """A parsed module.

    name: dotted, as in imports.
    room: the folder at the top of the tree.
    """

    name: str
    room: str
    path: Path
    text: str
    tree: ast.Module

    @property
    def lines(self) -> int:
        return self.text.count("\n")


class Gate(NamedTuple):
    """A figure that may only fall until it reaches its aim."""

    name: str
    value: int
    aim: int

    def fault(self, limit: int) -> str:
        """Return why the check fails with this limit, or an empty string if it doesn't."""
        if self.value > limit:
            return "above its limit"
        return "better: run --lower" if limit > max(self.value, self.aim) else ""

    def lowered(self, limit: int | None) -> int:
        """Return the limit to store from now on, which is never higher than before."""
        reached = max(self.value, self.aim)
        return reached if limit is None else min(limit, reached)


class Tree(NamedTuple):
    """The product's modules, and their imports, including late ones, by module and by folder."""

    modules: tuple[Module, ...]
    imports: grimp.ImportGraph
    folders: grimp.ImportGraph
    between: Counter[tuple[str, str]]
    """The number of imports between two folders."""


def read_modules(root: Path) -> tuple[Module, ...]:
    """Parse all modules of the product, whose rooms are the root packages of the import contracts."""
    settings = _project(root)["tool"]["importlinter"]
    if "root_packages" in settings:
        return tuple(
            itertools.chain.from_iterable(parse(root, name, name) for name in settings["root_packages"])
        )
    package = root / "src" / settings["root_package"]
    rooms = sorted(path.name for path in package.iterdir() if path.is_dir())
    return tuple(itertools.chain.from_iterable(parse(root, name, f"{package.name}.{name}") for name in rooms))


def parse(root: Path, room: str, package: str = "") -> Iterator[Module]:
    """Yield the parsed modules of a folder at the top of the tree."""
    for path in sorted((root / room).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        steps = path.relative_to(root / room).with_suffix("").parts
        name = ".".join((package or room, *(steps[:-1] if steps[-1] == "__init__" else steps)))
        yield Module(name, room, path, text, ast.parse(text))


def read_tree(root: Path) -> Tree:
    """Read the modules and their imports. The packages must be importable."""
    modules = read_modules(root)
    packages = {name.split(".")[0]: None for name, *_ in modules}
    imports = grimp.build_graph(*packages, cache_dir=None)
    folder = {m.name: m.name if m.path.stem == "__init__" else m.name.rpartition(".")[0] for m in modules}
    between = Counter(
        (folder[importer], folder[imported])
        for importer in folder
        for imported in imports.find_modules_directly_imported_by(importer) & folder.keys()
        if folder[importer] != folder[imported]
    )
    folders = grimp.ImportGraph()
    for importer, imported in between:
        folders.add_import(importer=importer, imported=imported)
    return Tree(modules, imports, folders, between)


def find_circles(graph: grimp.ImportGraph) -> tuple[frozenset[str], ...]:
    """Return the largest sets of modules, or folders, that import one another directly or indirectly."""
    circles = {
        frozenset(graph.find_upstream_modules(name) & graph.find_downstream_modules(name) | {name})
        for name in graph.modules
    }
    return tuple(sorted((circle for circle in circles if len(circle) > 1), key=lambda c: (-len(c), min(c))))


def find_unused(tree: Tree, root: Path) -> tuple[Module, ...]:
    """Return the modules that no installed program imports, but only tests, benchmarks or pictures."""
    starts = {entry.split(":")[0] for entry in _project(root)["project"]["scripts"].values()}
    starts |= {m.name for m in tree.modules if '\nif __name__ == "__main__"' in m.text}
    # Alembic finds these by their file names, and the station its pages by their routers.
    starts |= {m.name for m in tree.modules if "migrations" in m.path.parts or ROUTES.search(m.text)}
    named = {
        m.name: {
            name for value in _strings(m) for name in (value.split(":")[0], SCENES + value.split(":")[0])
        } & tree.imports.modules
        for m in tree.modules
    }  # fmt: skip
    reached: set[str] = set()
    while starts:
        reached |= starts
        for start in tuple(starts):
            reached |= tree.imports.find_upstream_modules(start)
        starts = {name for module in reached for name in named.get(module, ())} - reached
    reached |= {name[:dot] for name in reached for dot, sign in enumerate(name) if sign == "."}
    return tuple(m for m in tree.modules if m.name not in reached)


def find_lone_small(tree: Tree) -> tuple[Module, ...]:
    """Return small modules with a single importer, of which they are probably a part."""
    return tuple(
        m
        for m in tree.modules
        if m.lines < SMALL_LINES
        and m.path.stem != "__init__"
        and len(tree.imports.find_modules_that_directly_import(m.name)) == 1
    )


def find_large(modules: Iterable[Module]) -> tuple[Module, ...]:
    """Return modules that are too long even if long but plain match statements don't count."""
    return tuple(m for m in modules if m.lines > LARGE_LINES and m.lines - _flat_lines(m) > LARGE_LINES)


def _flat_lines(module: Module) -> int:
    matches = (
        n for n in ast.walk(module.tree) if isinstance(n, ast.Match) and "assert_never" in ast.unparse(n)
    )
    return sum((match.end_lineno or match.lineno) - match.lineno for match in matches)


@functools.cache
def count_late_imports(module: Module) -> int:
    """Count the imports inside functions."""
    functions = (n for n in ast.walk(module.tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    inside = (node for function in functions for node in ast.walk(function))
    return len({node.lineno for node in inside if isinstance(node, ast.Import | ast.ImportFrom)})


@functools.cache
def count_vague(module: Module) -> int:
    """Count the identifiers that are bare past participles, such as ``found``."""
    return sum(name.strip("_") in VAGUE_NAMES for name in _bound_names(module.tree))


def _bound_names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(name, ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                pass
            case ast.arg(name) | ast.FunctionDef(name) | ast.AsyncFunctionDef(name):
                pass
            case ast.MatchAs(name=str(name)) | ast.MatchStar(str(name)) | ast.ExceptHandler(name=str(name)):
                pass
            case _:
                continue
        yield name


def find_shared_names(modules: Iterable[Module]) -> set[str]:
    """Return the names of public classes that several modules define, except those with a reason."""
    classes = (node.name for m in modules for node in m.tree.body if isinstance(node, ast.ClassDef))
    named = Counter(name for name in classes if not name.startswith("_"))
    return {name for name, count in named.items() if count > 1} - SHARED_NAMES.keys()


def _strings(module: Module) -> Iterator[str]:
    return (
        n.value for n in ast.walk(module.tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)
    )


def _docstrings(module: Module) -> Iterator[str]:
    for node in ast.walk(module.tree):
        match node:
            case ast.Expr(ast.Constant(str(text))):
                yield text
            case _:
                pass


def english_pages(docs: Path) -> Iterator[Path]:
    """Yield the pages of the documentation, except translated guides."""
    return (page for page in docs.rglob("*.md") if page.parent.parent != docs / "guides")


def count_words(files: Iterable[Path]) -> int:
    """Count the words in text files, ignoring the characters that draw tables and lists."""
    return sum(any(map(str.isalnum, word)) for file in files for word in file.read_text("utf-8").split())


def measure(tree: Tree, tests: tuple[Module, ...], root: Path) -> tuple[Gate, ...]:
    """Measure every figure that has a limit."""
    modules = tree.modules
    knots = find_circles(tree.folders)
    scenes = [m for m in modules if ".scenes." in m.name]
    tables = sum(any(map(PAGE.search, _strings(m))) for m in modules)
    citing = sum(len(set(OPEN_QUESTION.findall(m.text))) >= MANY_QUESTIONS for m in modules)
    riddles = sum(bool(RIDDLES.match(text)) for m in (*modules, *tests) for text in _docstrings(m))
    return (
        *(
            Gate(f"largest knot of folders, {room}", _largest(knots, modules, room), 2)
            for room in _rooms(modules)
        ),
        Gate("modules in import circles", sum(map(len, find_circles(tree.imports))), 0),
        Gate("late imports in scenes", sum(map(count_late_imports, scenes)), 0),
        Gate(f"modules over {LARGE_LINES} lines, flat matches apart", len(find_large(modules)), 0),
        Gate(f"modules under {SMALL_LINES} lines with one importer", len(find_lone_small(tree)), 15),
        Gate("modules named after nothing", sum(m.path.stem in VAGUE_MODULES for m in modules), 0),
        Gate("vague identifiers, product", sum(map(count_vague, modules)), 0),
        Gate("vague identifiers, tests", sum(map(count_vague, tests)), 0),
        Gate("places that know a page's address", 1 + tables, 1),
        Gate("modules that cite ten open questions", citing, 3),
        Gate("lines that no program uses", sum(m.lines for m in find_unused(tree, root)), 0),
        Gate("docstrings that open as a question", riddles, 0),
        Gate("class names used more than once", len(find_shared_names(modules)), 0),
        Gate("decision records", len(list((root / "docs/development/decisions").glob("0*.md"))), 25),
        Gate("words in docs", count_words(english_pages(root / "docs")), 49_300),
    )


def _rooms(modules: Iterable[Module]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(m.room for m in modules))


def _largest(circles: Iterable[frozenset[str]], modules: Iterable[Module], room: str) -> int:
    inside = {m.name for m in modules if m.room == room}
    return max((len(circle) for circle in circles if circle & inside), default=0)


def report(tree: Tree, tests: tuple[Module, ...]) -> Table:
    """Return a table of the figures of each room, of the product and of the tests, with their aims."""
    table = Table(
        "room", "modules", "lines", "median", "over 400", "knot", "circle", "late", "vague", title="By room"
    )
    knots, circles = find_circles(tree.folders), find_circles(tree.imports)
    for name in (*_rooms(tree.modules), "product", "tests"):
        modules = {"product": tree.modules, "tests": tests}.get(name) or [
            m for m in tree.modules if m.room == name
        ]
        rooms = _rooms(tree.modules) if name == "product" else [name]
        figures = (
            len(modules),
            sum(m.lines for m in modules),
            int(statistics.median(m.lines for m in modules)) if modules else 0,
            len(find_large(modules)),
            max(_largest(knots, tree.modules, room) for room in rooms),
            max(_largest(circles, tree.modules, room) for room in rooms),
            sum(map(count_late_imports, modules)),
            sum(map(count_vague, modules)),
        )
        table.add_row(name, *(f"{figure:,}" for figure in figures))
    table.add_row("aim, product", "560", "88,000", "120-180", "0", "2", "0", "", "0")
    table.add_row("aim, tests", "", "80,000", "", "", "", "", "", "0")
    return table


def knots_in_words(tree: Tree) -> Iterator[str]:
    """Describe each knot of folders, and the imports within it, most frequent first."""
    for knot in find_circles(tree.folders):
        yield f"{len(knot)} folders: {', '.join(sorted(knot))}"
        for (importer, imported), count in tree.between.most_common():
            if {importer, imported} <= knot:
                yield f"  {count:3} {importer} -> {imported}"


def _project(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))


def main(arguments: list[str], root: Path = ROOT) -> int:
    """Print the report and the gates, and return the exit status."""
    gc.disable()  # Millions of nodes are parsed, and all are kept.
    tree, tests = read_tree(root), tuple(parse(root, "tests"))
    gates = measure(tree, tests, root)
    file = root / "tools" / "limits.json"
    limits: dict[str, int] = json.loads(file.read_text(encoding="utf-8"))
    if "--lower" in arguments:
        limits = {gate.name: gate.lowered(limits.get(gate.name)) for gate in gates}
        file.write_text(json.dumps(limits, indent=2) + "\n", encoding="utf-8")
    table = Table("figure", "now", "limit", "aim", "", title="Gates")
    faults = [gate.fault(limits.get(gate.name, gate.aim)) for gate in gates]
    for gate, fault in zip(gates, faults, strict=True):
        limit = limits.get(gate.name, gate.aim)
        table.add_row(gate.name, f"{gate.value:,}", f"{limit:,}", f"{gate.aim:,}", fault)
    console = Console(width=None if sys.stdout.isatty() else 110)
    console.print(report(tree, tests), table, sep="\n")
    if "--knots" in arguments:
        console.print(*knots_in_words(tree), sep="\n", highlight=False)
    return int("--check" in arguments and any(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
