"""One lock for each use: a subset of the whole, enough for its program, and small where that is the point."""

import re
from pathlib import Path

import pytest
from uv import find_uv_bin

from tests.packaging.conftest import ROOT, run

pytestmark = pytest.mark.slow

LOCKS = ROOT / "requirements"
USES = {
    "rules": (("base", "core"), "saloon-rules"),
    "terminal": (("base", "core", "sync", "hardware", "kiosk"), "saloon-terminal"),
    "station": (("base", "core", "sync", "station"), "saloon-station"),
    "demo": (("base", "core", "sync", "hardware", "kiosk", "station", "demo"), "saloon-demo"),
}
"""The rooms that a use imports, and its program."""
_EACH_DAY = ("rules", "terminal")
LARGEST_RULES_MB = 40
# The screen of an image's station is a program of its own, with the system's pygame; PostgreSQL is optional.
IMPORT_ALL = """
import base, importlib, pathlib, sys
root = pathlib.Path(base.__file__).parents[1]
apart = "__main__", "versions.m0", "migrations.env", "station.screen", "cluster.notifications"
count = 0
for room in sys.argv[1:]:
    for file in sorted((root / room).rglob("*.py")):
        name = ".".join(file.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        if not any(part in name for part in apart):
            importlib.import_module(name)
            count += 1
print(count)
"""


def releases(lock: Path) -> dict[str, tuple[str, ...]]:
    """Return the hashes of each release in a lock, by its name, version and marker."""
    hashes: dict[str, tuple[str, ...]] = {}
    for entry in re.split(r"(?m)^(?=\S)", lock.read_text(encoding="utf-8")):
        if "==" in entry:
            name = entry.partition("\\")[0].strip()
            hashes[name.partition(";")[0].strip()] = tuple(re.findall(r"--hash=(\S+)", entry))
    return hashes


@pytest.mark.parametrize("use", [*USES, "build"])
def test_a_lock_is_a_subset_of_the_whole(use: str) -> None:
    whole, part = releases(LOCKS / "dev.lock"), releases(LOCKS / f"{use}.lock")
    assert part.items() <= whole.items()
    assert len(part) >= 5


@pytest.fixture(
    params=[pytest.param(use, marks=() if use in _EACH_DAY else pytest.mark.nightly) for use in USES]
)
def installed(request: pytest.FixtureRequest, wheel: Path, tmp_path: Path) -> tuple[str, Path]:
    """An environment with a lock and the wheel, and nothing that either asks for beside."""
    use = str(request.param)
    folder = tmp_path / "environment"
    run(find_uv_bin(), "venv", "--quiet", folder, cwd=tmp_path)
    python = folder / "bin" / "python"
    install = (find_uv_bin(), "pip", "install", "--quiet", "--python", python, "--no-deps")
    run(*install, "--require-hashes", "--only-binary", ":all:", "-r", LOCKS / f"{use}.lock")
    run(*install, wheel)
    return use, folder


def test_a_lock_is_all_that_its_program_needs(installed: tuple[str, Path], tmp_path: Path) -> None:
    use, folder = installed
    rooms, program = USES[use]
    assert "Usage: " in run(folder / "bin" / program, "--help", cwd=tmp_path)
    imported = run(folder / "bin" / "python", "-W", "ignore", "-c", IMPORT_ALL, *rooms, cwd=tmp_path)
    assert int(imported.split()[-1]) > 50
    if use == "rules":
        assert "27" in run(folder / "bin" / program, "chart", "championship-2022", "27", cwd=tmp_path)
        files = (file.stat().st_size for file in (folder / "lib").rglob("*") if file.is_file())
        assert sum(files) < LARGEST_RULES_MB * 1024**2
