"""The station's rooms use what Linux, macOS and Windows have in common; base/system.py has the rest."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.portable.other_system.posix_names import ARGUMENTS, METHODS, MODULES, NAMES

ROOT = Path(__file__).parents[2]
OWNER = ROOT / "base/system.py"
FILES = [path for room in ("base", "core", "sync", "station") for path in sorted((ROOT / room).rglob("*.py"))]


def posix_only(text: str) -> Iterator[str]:
    """Yield each line that Windows or macOS cannot run, or runs differently."""
    for node in ast.walk(ast.parse(text)):
        problem = _of_imports(node) or _of_names(node) or _of_calls(node)
        if problem:
            yield f"{getattr(node, 'lineno', 0)}: {problem}"


def _of_imports(node: ast.AST) -> str:
    match node:
        case ast.Import(names=names):
            return ", ".join({one.name for one in names} & set(MODULES))
        case ast.ImportFrom(module=str(module)) if module in MODULES:
            return module
        case ast.ImportFrom(module=str(module), names=names):
            return ", ".join({one.name for one in names} & NAMES.get(module, frozenset()))
        case _:
            return ""


def _of_names(node: ast.AST) -> str:
    match node:
        case ast.Attribute(value=ast.Name(id=module), attr=name) if name in NAMES.get(module, ()):
            return f"{module}.{name}"
        case ast.Attribute(attr=name) if name in METHODS or name == "create_subprocess_exec":
            return name
        case ast.keyword(arg=str(name)) if name in ARGUMENTS:
            return name
        case _:
            return ""


def _of_calls(node: ast.AST) -> str:
    match node:
        case ast.Call(func=ast.Attribute(attr="rename"), args=[_]):
            return "rename, which refuses to replace a file on Windows"
        case ast.Call(func=ast.Attribute(attr="read_text" | "write_text"), keywords=keywords):
            return "" if any(one.arg == "encoding" for one in keywords) else "text without an encoding"
        case _:
            return ""


@pytest.mark.parametrize(
    "line",
    [
        "import fcntl",
        "from os import getuid",
        "os.fork()",
        "loop.add_signal_handler(2, end)",
        "path.rename(other)",
        "Popen(x, preexec_fn=f)",
        "path.read_text()",
    ],
)
def test_a_line_of_posix_is_found(line: str) -> None:
    assert len(list(posix_only(line))) == 1


@pytest.mark.slow
def test_only_one_module_knows_what_systems_lack() -> None:
    assert OWNER in FILES
    lines = {
        f"{path.relative_to(ROOT)}:{line}"
        for path in FILES
        if path != OWNER
        for line in posix_only(path.read_text(encoding="utf-8"))
    }
    # Terminals in browsers need local sockets, which Windows lacks; there none is started.
    assert {line.partition(":")[0] for line in lines} <= {"station/devices/model.py"}
