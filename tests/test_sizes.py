"""The sizes of style rule 10: what is too large to hold in the head is a defect."""

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
ROOMS = ("base", "core", "sync", "hardware", "kiosk", "station", "demo", "bench", "tools", "image")
MODULE_LINES = 400
MODULE_USUAL = 350
"""A whole concept has 120 to 350 lines; nine of ten modules stay within that."""
FUNCTION_LINES = 60
EXHAUSTIVE_CASE = 5
PARAMETERS = 8
PUBLIC_METHODS = 26
"""One more than the style says: the service of the judge answers each question of a page with one method."""
TEST_MODULE_LINES = 500

Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules() -> list[Path]:
    return sorted(p for room in ROOMS for p in (ROOT / room).rglob("*.py"))


@functools.cache
def definitions(path: Path) -> tuple[Function | ast.ClassDef, ...]:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return tuple(node for node in nodes if isinstance(node, Function | ast.ClassDef))


def functions(path: Path) -> Iterator[Function]:
    return (node for node in definitions(path) if isinstance(node, Function))


def body_lines(function: Function) -> int:
    body = function.body
    if ast.get_docstring(function) is not None:
        body = body[1:]
    if not body or body[-1].end_lineno is None:
        return 0
    return body[-1].end_lineno - body[0].lineno + 1 - exhaustive_lines(body)


def exhaustive_lines(body: list[ast.stmt]) -> int:
    """Count the lines of matches that name each event or command once: long, but plain to read."""
    matches = (part for part in body if isinstance(part, ast.Match) and "assert_never" in ast.unparse(part))
    return sum(
        (part.end_lineno or part.lineno) - part.lineno
        for part in matches
        if all((case.body[-1].end_lineno or 0) - case.body[0].lineno < EXHAUSTIVE_CASE for case in part.cases)
    )


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", modules(), ids=named)
def test_a_module_fits_in_the_head(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= MODULE_LINES, f"{lines} lines: find the second concept"


def test_most_modules_hold_one_concept() -> None:
    sizes = [len(p.read_text(encoding="utf-8").splitlines()) for p in modules()]
    usual = sum(size <= MODULE_USUAL for size in sizes)
    assert usual >= 0.9 * len(sizes)


def test_functions_do_one_thing() -> None:
    long = {
        f"{named(p)}:{f.lineno} {f.name}": body_lines(f)
        for p in modules()
        for f in functions(p)
        if body_lines(f) > FUNCTION_LINES
    }
    assert long == {}


def test_nobody_has_to_remember_more_than_eight_parameters() -> None:
    many = {
        f"{named(p)}:{f.lineno} {f.name}": count
        for p in modules()
        for f in functions(p)
        if (count := len(f.args.posonlyargs) + len(f.args.args) + len(f.args.kwonlyargs)) > PARAMETERS
    }
    assert many == {}


def test_classes_have_one_face() -> None:
    large = {}
    for path in modules():
        for node in definitions(path):
            if isinstance(node, ast.ClassDef):
                public = [f for f in node.body if isinstance(f, Function) and not f.name.startswith("_")]
                if len(public) > PUBLIC_METHODS:
                    large[f"{named(path)} {node.name}"] = len(public)
    assert large == {}


def test_test_modules_stay_readable() -> None:
    long = {
        named(p): lines
        for p in (ROOT / "tests").rglob("*.py")
        if (lines := len(p.read_text(encoding="utf-8").splitlines())) > TEST_MODULE_LINES
    }
    assert long == {}
