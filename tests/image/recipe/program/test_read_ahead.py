from pathlib import Path

import pytest

from image.recipe.program.read_ahead import read_ahead
from image.recipe.run import Commands

PYTHON = "3.11"


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """Return the files read ahead on a board with a few of the terminal's modules and one linked program."""
    folder = tmp_path_factory.mktemp("board")
    root, app = folder / "root", folder / "app"
    byte_code = ("usr/lib/python3.11/__pycache__/signal", "usr/lib/python3.11/tomllib/__pycache__/__init__")
    for name in byte_code:
        written(root / f"{name}.cpython-311.pyc")
    for name in (
        "core/game/__pycache__/evolve",
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
    return read_ahead(root, app, PYTHON, Commands(folder / "log", 0))


def written(file: Path) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(Path("/bin/sh").resolve().read_bytes() if ".so" in file.name else b"")
    return file


def test_pythons_own_file_and_its_libraries_come_first(names: tuple[str, ...]) -> None:
    assert names[:2] == ("usr/bin/python3.11", "usr/lib/aarch64-linux-gnu/libc.so.6.1")


def test_modules_of_the_first_picture_are_read_by_the_place_where_they_will_lie(
    names: tuple[str, ...],
) -> None:
    assert {
        "opt/saloon/lib/core/game/__pycache__/evolve.cpython-311.pyc",
        "opt/saloon/lib/base/fonts/files/Letters.ttf",
        "usr/lib/python3.11/__pycache__/signal.cpython-311.pyc",
        "usr/lib/python3.11/tomllib/__pycache__/__init__.cpython-311.pyc",
    } <= set(names)


def test_what_no_first_picture_needs_is_not_read(names: tuple[str, ...]) -> None:
    assert "opt/saloon/lib/station/__pycache__/main.cpython-311.pyc" not in names
    assert "usr/lib/aarch64-linux-gnu/libunwanted.so.1" not in names
    assert len(names) == len(set(names))
