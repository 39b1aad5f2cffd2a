import ast
import sys
from pathlib import Path

import pytest

from base.errors import BadData
from image.recipe.checkout import CHECKOUT
from image.recipe.contents import contents_of
from image.recipe.program.app import SYSTEM, requirements_text
from image.recipe.program.requirements import locked_in, needed, text_of
from image.recipe.target import Kind

CONTENTS = contents_of(CHECKOUT / "image/packages.toml")
MODULES = {
    "serial": "pyserial",
    "zxingcpp": "zxing-cpp",
    "argon2": "argon2-cffi",
    "PIL": "pillow",
    "markdown_it": "markdown-it-py",
}
ROOMS = {
    Kind.TERMINAL: ("base", "core", "sync", "hardware", "kiosk"),
    Kind.STATION: ("base", "core", "sync", "station"),
}
LOCK = """a==1.0 \\
    --hash=sha256:11 \\
    --hash=sha256:12
    # via saloon (pyproject.toml)
b==2 ; sys_platform != 'win32' \\
    --hash=sha256:21
    # via
    #   a
    #   c
w==3 ; sys_platform == 'win32' \\
    --hash=sha256:31
    # via a
c==4 \\
    --hash=sha256:41
    # via b
pygame==5 \\
    --hash=sha256:51
    # via a
other==6 \\
    --hash=sha256:61
"""


def test_what_a_distribution_needs_comes_along_with_its_hashes_once() -> None:
    chosen = needed(["a"], locked_in(LOCK), frozenset({"pygame"}))
    assert [locked.name for locked in chosen] == ["a", "b", "c"]
    assert text_of(chosen).count("--hash=sha256:") == 4
    assert "# via" not in text_of(chosen)


def test_a_distribution_without_a_lock_is_named() -> None:
    with pytest.raises(BadData, match="not in any lock"):
        needed(["nobody"], locked_in(LOCK), frozenset())


def _imported(room: str) -> set[str]:
    imported = set()
    for path in (CHECKOUT / room).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module is not None:
                imported.add(node.module.split(".")[0])
    return imported.difference(sys.stdlib_module_names, *ROOMS.values())


@pytest.mark.by_day(1)
@pytest.mark.slow
@pytest.mark.parametrize("kind", Kind)
def test_every_library_that_the_rooms_of_a_machine_import_is_in_its_image(kind: Kind) -> None:
    imported = {name for room in ROOMS[kind] for name in _imported(room)}
    wanted = {MODULES.get(name, name) for name in imported} - SYSTEM - {"RPi"}
    packed = {locked.split("==")[0] for locked in requirements_text(CHECKOUT, CONTENTS, kind).splitlines()}
    assert wanted <= packed | set(CONTENTS.of_kind(kind).built)


def test_a_terminal_carries_no_station() -> None:
    text = requirements_text(CHECKOUT, CONTENTS, Kind.TERMINAL)
    assert "litestar" not in text
    assert "pytest" not in text
    assert "rpi-lgpio==" in text
    assert all(room in CONTENTS.terminal.without for room in ("station", "demo"))


def test_every_line_of_the_lock_of_the_boards_has_a_hash() -> None:
    lock = (Path(CHECKOUT) / "requirements/image.lock").read_text(encoding="utf-8")
    assert all("--hash=sha256:" in locked.block for locked in locked_in(lock).values())
    assert set(locked_in(lock)) == {"lgpio", "rpi-lgpio"}


@pytest.mark.parametrize("kind", Kind)
def test_what_is_compiled_is_locked_and_never_fetched_as_a_wheel(kind: Kind) -> None:
    built = set(CONTENTS.of_kind(kind).built)
    lock = (Path(CHECKOUT) / "requirements/image.lock").read_text(encoding="utf-8")
    packed = {line.split("==")[0] for line in requirements_text(CHECKOUT, CONTENTS, kind).splitlines()}
    assert built <= set(CONTENTS.of_kind(kind).python) & set(locked_in(lock))
    assert not built & packed
