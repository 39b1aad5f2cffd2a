"""Nothing is used of the standard library that came with a later patch of Python 3.11 than Debian 12's.

mypy checks against 3.11, but knows no patches: Debian 12 has 3.11.2.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
ROOMS: Final = (
    "base", "bench", "core", "demo", "hardware", "image", "kiosk", "station", "sync", "tests", "tools",
)  # fmt: skip
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
@pytest.mark.parametrize("room", ROOMS)
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
