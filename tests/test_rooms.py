"""Imports that the rooms may not have, and words that the tree may use only where they belong.

Nothing is used of the standard library that came with a later patch of Python 3.11 than Debian 12's, 3.11.2:
mypy checks against 3.11, but knows no patches.
"""

import ast
import re
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Final

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("base", "core", "sync", "hardware", "kiosk", "station", "demo")
OUTSIDE = {
    "asyncio", "gpiozero", "logging", "os", "pathlib", "pygame", "random", "secrets", "select", "selectors",
    "serial", "socket", "sqlalchemy", "sqlite3", "ssl", "subprocess", "threading", "time", "litestar",
}  # fmt: skip
PURE = [
    *(ROOT / "core" / "game").rglob("*.py"),
    *(ROOT / "core" / "tournament").rglob("*.py"),
    *(ROOT / "core").glob("*.py"),
    *(ROOT / "sync" / "bus").rglob("*.py"),
    *(ROOT / "sync" / "link").rglob("*.py"),
    *(ROOT / "sync" / "protocol" / f"{name}.py" for name in ("entry", "messages", "parcel", "session")),
    *(ROOT / "sync" / "update" / f"{name}.py" for name in ("bundle", "messages", "fetcher")),
]


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names


@pytest.mark.parametrize("path", PURE, ids=lambda p: str(p.relative_to(ROOT)))
def test_rules_and_protocols_touch_nothing(path: Path) -> None:
    assert imported(path) & OUTSIDE == set()


def named_by_string(path: Path, room: str) -> bool:
    """Return whether a module starts another room, or reads its files, without an import."""
    text = path.read_text(encoding="utf-8")
    if not re.search(rf"""["']{room}\b""", text):
        return False
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and str(node.value).startswith(f"{room}."):
            return True
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            part = node.right
            if isinstance(part, ast.Constant) and str(part.value).split("/")[0] == room:
                return True
    return False


@pytest.mark.parametrize(("room", "others"), [("station", ("kiosk", "demo")), ("kiosk", ("station", "demo"))])
def test_rooms_that_never_meet_do_not_meet_by_a_string_either(room: str, others: tuple[str, ...]) -> None:
    meeting = [
        (str(path.relative_to(ROOT)), other)
        for path in (ROOT / room).rglob("*.py")
        for other in others
        if named_by_string(path, other)
    ]
    assert meeting == []


def test_no_library_owns_the_name_of_a_room() -> None:
    owners = metadata.packages_distributions()
    assert "pytest" in owners
    assert sys.stdlib_module_names.isdisjoint(ROOMS)
    assert [owners[room] for room in ROOMS if set(owners.get(room, ())) - {"saloon"}] == []


def test_our_programs_start_modules_of_ours_in_any_folder() -> None:
    modules = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    from_here = r'sys\.executable,\s+"-[cm]"'
    assert [path for path in modules if re.search(from_here, path.read_text(encoding="utf-8"))] == []


@pytest.mark.slow
def test_every_package_says_what_it_is_for() -> None:
    silent = [
        str(p.relative_to(ROOT))
        for room in (*ROOMS, "bench", "tools/workshop")
        for p in (ROOT / room).rglob("*.py")
        if not ast.get_docstring(ast.parse(p.read_text(encoding="utf-8")))
    ]
    assert silent == []


def test_no_room_is_a_drawer_for_leftovers() -> None:
    drawers = {"utils", "helpers", "common", "misc", "manager", "util"}
    paths = [str(p) for room in ROOMS for p in (ROOT / room).rglob("*") if p.stem in drawers]
    assert paths == []


def test_no_file_names_an_index_of_packages() -> None:
    lock = (ROOT / "requirements" / "dev.lock").read_text(encoding="utf-8")
    assert "://" not in lock
    assert "--hash=sha256:" in lock


LATER_NAMES: Final = {
    "data_filter": "3.11.4",
    "tar_filter": "3.11.4",
    "fully_trusted_filter": "3.11.4",
    "SetReparseDeferralEnabled": "3.11.9",
}
LATER_ARGUMENTS: Final = {
    ("extract", "filter"): "3.11.4",
    ("extractall", "filter"): "3.11.4",
    ("unpack_archive", "filter"): "3.11.4",
    ("EmailPolicy", "verify_generated_headers"): "3.11.10",
    ("getaddresses", "strict"): "3.11.11",
    ("parseaddr", "strict"): "3.11.11",
}
"""Functions with an argument that came later."""
POSSESSIVE_GROUP: Final = re.compile(r"\)[*+?]\+")
"""A group that gives nothing back: before 3.11.5 it may match too little."""


def later_parts(source: str) -> Iterator[str]:
    """Yield what a module uses that came after Python 3.11.2, with the patch."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(attr=name) | ast.alias(name=name) if name in LATER_NAMES:
                yield f"{name}, line {node.lineno}: since {LATER_NAMES[name]}"
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), keywords=keywords):
                for keyword in keywords:
                    if since := LATER_ARGUMENTS.get((name, keyword.arg or "")):
                        yield f"{name}({keyword.arg}=), line {node.lineno}: since {since}"
            case ast.Constant(value=str(text)) if POSSESSIVE_GROUP.search(text):
                yield f"possessive group, line {node.lineno}: right since 3.11.5"
            case _:
                pass


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("room", [*ROOMS, "bench", "image", "tests", "tools"])
def test_nothing_came_with_a_later_patch(room: str) -> None:
    files = sorted((ROOT / room).rglob("*.py"))
    assert files
    parts_by_file = {str(file): [*later_parts(file.read_text(encoding="utf-8"))] for file in files}
    assert {file: parts for file, parts in parts_by_file.items() if parts} == {}


@pytest.mark.parametrize(
    "source",
    [
        "tree.extractall(place, wanted, filter='tar')",
        "import tarfile\ntarfile.data_filter",
        "from tarfile import tar_filter",
        "unpack_archive(file, filter='data')",
        "re.compile('(a|b)" + "*+')",
    ],
)
def test_later_parts_are_found(source: str) -> None:
    assert len([*later_parts(source)]) == 1
