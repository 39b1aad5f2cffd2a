"""The program in an image, and what it needs."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from base.errors import BadData
from image.recipe.checkout import CHECKOUT
from image.recipe.contents import contents_of
from image.recipe.program.app import SYSTEM, python_script, requirements_text
from image.recipe.program.read_ahead import read_ahead
from image.recipe.program.requirements import locked_in, needed, text_of
from image.recipe.run import Commands
from image.recipe.target import Kind

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"


@pytest.mark.skipif(not Path(f"/usr/bin/python{PYTHON}").exists(), reason="this machine has another Python")
def test_a_program_takes_its_own_modules_and_none_of_the_folder_it_is_started_in(tmp_path: Path) -> None:
    for folder in ("tree/bin", "tree/lib", "here"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "tree/lib/ours.py").write_text("print('ours')")
    (tmp_path / "here/ours.py").write_text("print('a stranger\\'s')")
    (tmp_path / "here/theirs.py").write_text("")
    program = tmp_path / "tree/bin/python"
    program.write_text(python_script(PYTHON))
    program.chmod(0o755)

    def said(code: str) -> str:
        done = subprocess.run(
            [program, "-c", code], cwd=tmp_path / "here", capture_output=True, text=True, check=False
        )
        return done.stdout + done.stderr

    assert said("import ours") == "ours\n"
    assert "No module named 'theirs'" in said("import theirs")


def test_a_board_reads_ahead_what_its_first_picture_needs_and_nothing_else(tmp_path: Path) -> None:
    root, app = tmp_path / "root", tmp_path / "app"
    byte_code = ("usr/lib/python3.11/__pycache__/signal", "usr/lib/python3.11/tomllib/__pycache__/__init__")
    for name in byte_code:
        written(root / f"{name}.cpython-311.pyc")
    for name in (
        "core/game/__pycache__/timeline",
        "kiosk/scenes/__pycache__/enrol",
        "station/__pycache__/main",
    ):
        written(app / f"lib/{name}.cpython-311.pyc")
    written(app / "lib/base/fonts/files/Letters.ttf")
    # This machine's own Python stands for the board's: what it is linked with is found beside it.
    written(root / "usr/bin/python3.11").write_bytes(Path("/bin/sh").resolve().read_bytes())
    written(root / "usr/lib/aarch64-linux-gnu/libc.so.6.1")
    (root / "usr/lib/aarch64-linux-gnu/libc.so.6").symlink_to("libc.so.6.1")
    written(root / "usr/lib/aarch64-linux-gnu/libunwanted.so.1")
    names = read_ahead(root, app, "3.11", Commands(tmp_path / "log", 0))
    # Python's own file and its libraries come first; modules are named by the place where they will lie.
    assert names[:2] == ("usr/bin/python3.11", "usr/lib/aarch64-linux-gnu/libc.so.6.1")
    assert {
        "opt/saloon/lib/core/game/__pycache__/timeline.cpython-311.pyc",
        "opt/saloon/lib/base/fonts/files/Letters.ttf",
        "usr/lib/python3.11/__pycache__/signal.cpython-311.pyc",
        "usr/lib/python3.11/tomllib/__pycache__/__init__.cpython-311.pyc",
    } <= set(names)
    assert "opt/saloon/lib/station/__pycache__/main.cpython-311.pyc" not in names
    assert "usr/lib/aarch64-linux-gnu/libunwanted.so.1" not in names
    assert len(names) == len(set(names))


def written(file: Path) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(Path("/bin/sh").resolve().read_bytes() if ".so" in file.name else b"")
    return file


CONTENTS = contents_of(CHECKOUT / "image/packages.toml")
MODULES = {
    "serial": "pyserial",
    "zxingcpp": "zxing-cpp",
    "argon2": "argon2-cffi",
    "PIL": "pillow",
    "bidi": "python-bidi",
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
