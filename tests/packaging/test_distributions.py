"""The wheel, the sdist and the locks as a packager gets them: complete, installable and able to start."""

import datetime as dt
import re
import sys
import time
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import httpx
import pytest
from uv import find_uv_bin

from base import __version__
from demo.processes import Processes, free_port
from tests.packaging.conftest import ROOT, build, run

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = SETTINGS["project"]
ROOMS = ("base", "core", "demo", "hardware", "kiosk", "station", "sync")
PROGRAMS = sorted(PROJECT["scripts"])
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
_EACH_DAY = {("x86_64", "3.14"), ("aarch64", "3.11")}
# Locks wait a week before they take a release; so do these installations.
A_WEEK_AGO = (dt.datetime.now(dt.UTC) - dt.timedelta(days=7)).strftime("%Y-%m-%dT%H:%M:%SZ")
JUDGE = ("ada", "a long password")

pytestmark = pytest.mark.slow


def files_in_wheel(wheel: Path) -> dict[str, int]:
    with zipfile.ZipFile(wheel) as archive:
        return {
            entry.filename: entry.file_size
            for entry in archive.infolist()
            if not entry.filename.startswith("saloon-")
        }


def test_the_wheel_holds_every_file_of_every_room_and_the_translations(wheel: Path) -> None:
    packed = SETTINGS["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    listed = run("git", "ls-files", *packed).split("\n")
    assert {room for room in ROOMS if room not in packed} == set()
    catalogues = {name for name in listed if name.endswith(".po")}
    wanted = {
        re.sub(r"^docs/", "station/docs/", name)
        for name in listed
        if name and not name.endswith((".po", ".pot", "performance.png"))
    }
    wanted |= {f"{name.removesuffix('po')}mo" for name in catalogues}
    assert catalogues
    assert set(files_in_wheel(wheel)) == wanted


def test_a_wheel_from_the_checkout_is_the_same_as_one_from_the_sdist(wheel: Path, tmp_path: Path) -> None:
    assert files_in_wheel(build("wheel", ROOT, tmp_path)) == files_in_wheel(wheel)


class Installation:
    """An environment of its own, with Saloon's wheel and nothing that its metadata does not ask for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def program(self, name: str) -> str:
        return str(self.folder / "bin" / name)

    def versions(self) -> dict[str, str]:
        listed = run(find_uv_bin(), "pip", "freeze", "--python", self.program("python"))
        return dict(line.split("==", 1) for line in listed.splitlines() if "==" in line)


@pytest.fixture(scope="session", params=[pytest.param("lowest-direct", marks=pytest.mark.nightly), "highest"])
def installed(
    wheel: Path, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Installation:
    folder = tmp_path_factory.mktemp("installed") / "environment"
    run(find_uv_bin(), "venv", "--quiet", "--python", sys.executable, folder)
    run(
        find_uv_bin(), "pip", "install", "--quiet", "--python", folder / "bin" / "python",
        "--only-binary", ":all:", "--resolution", request.param, "--exclude-newer", A_WEEK_AGO, wheel,
        cwd=folder,
    )  # fmt: skip
    return Installation(folder)


def test_every_program_starts_and_names_its_version(installed: Installation, tmp_path: Path) -> None:
    for name in PROGRAMS:
        assert run(installed.program(name), "--version", cwd=tmp_path) == f"{name}, version {__version__}\n"
        assert "Usage: " in run(installed.program(name), "--help", cwd=tmp_path)


def test_the_optional_driver_of_postgresql_is_not_installed(installed: Installation) -> None:
    versions = installed.versions()
    assert "psycopg" not in versions
    assert "babel" not in versions
    assert "litestar" in versions


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    with Processes(tmp_path / "logs") as running:
        yield running


def page(url: str, language: str = "en") -> str:
    return httpx.get(url, headers={"Accept-Language": language}).raise_for_status().text


def wait_until(is_so: Callable[[], bool], within_s: float = 180) -> None:
    end = time.monotonic() + within_s
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.2)


def answers(url: str) -> bool:
    try:
        return httpx.get(url).is_success
    except httpx.TransportError:
        return False


@pytest.mark.nightly
def test_a_station_serves_its_pages_in_two_languages(
    installed: Installation, processes: Processes, tmp_path: Path
) -> None:
    data, port = tmp_path / "data", free_port()
    station = installed.program("saloon-station")
    name, password = JUDGE
    processes.run("judge add", station, "judge", "add", name, "--data", str(data), text=f"{password}\n")
    processes.start(
        "station", station, "serve", "--data", str(data), "--http", f"127.0.0.1:{port}",
        "--tls-host", "127.0.0.1", "--tls-port", "0", "--no-announce",
    )  # fmt: skip
    wait_until(lambda: answers(f"http://127.0.0.1:{port}/"))
    assert "Tornei" in page(f"http://127.0.0.1:{port}/", "it")
    assert "Tournaments" in page(f"http://127.0.0.1:{port}/")
    assert "La guida del giudice" in page(f"http://127.0.0.1:{port}/guide/judge", "it")
    assert answers(f"http://127.0.0.1:{port}/static/pictures/kiosk/enrol.png")


def test_a_virtual_terminal_shows_its_screen_in_a_browser(
    installed: Installation, processes: Processes, tmp_path: Path
) -> None:
    port = free_port()
    processes.start(
        "terminal", installed.program("saloon-terminal"), "--data", str(tmp_path / "data"),
        "--virtual", str(port), extra={"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"},
    )  # fmt: skip
    wait_until(lambda: answers(f"http://127.0.0.1:{port}/"))


def test_the_rules_are_packed(installed: Installation, tmp_path: Path) -> None:
    assert "championship-2022" in run(installed.program("saloon-rules"), "editions", cwd=tmp_path)
    assert "27" in run(installed.program("saloon-rules"), "chart", "championship-2022", "27", cwd=tmp_path)


@pytest.mark.nightly
def test_the_demonstration_brings_its_players(
    installed: Installation, processes: Processes, tmp_path: Path
) -> None:
    processes.start("demo", installed.program("saloon-demo"), "--auto", "--edition", "official-2003")
    log = tmp_path / "logs" / "demo.log"
    wait_until(lambda: "5 players registered from players-27.csv" in log.read_text(encoding="utf-8"))


def has_a_wheel_for_each(lock: str, python: str, platform: str, into: Path) -> None:
    run(
        find_uv_bin(), "pip", "install", "--quiet", "--dry-run", "--require-hashes",
        "--only-binary", ":all:", "--python-version", python, "--python-platform", platform,
        "--target", into, "-r", ROOT / "requirements" / lock,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("machine", "python"),
    [
        pytest.param(machine, python, marks=() if (machine, python) in _EACH_DAY else pytest.mark.nightly)
        for machine, python in product(("x86_64", "aarch64"), PYTHONS)
    ],
)
def test_every_locked_release_has_a_wheel_for_every_supported_python(
    python: str, machine: str, tmp_path: Path
) -> None:
    has_a_wheel_for_each("dev.lock", python, f"{machine}-manylinux_2_28", tmp_path)


def test_the_images_board_has_a_wheel_for_its_pins(tmp_path: Path) -> None:
    has_a_wheel_for_each("image.lock", "3.11", "aarch64-manylinux_2_36", tmp_path)


def test_the_supported_pythons_are_the_declared_ones() -> None:
    listed = "Programming Language :: Python :: "
    declared = [name.removeprefix(listed) for name in PROJECT["classifiers"] if name.startswith(listed)]
    assert declared == list(PYTHONS)


LOCKS = ROOT / "requirements"
USES = {
    "rules": (("base", "core"), "saloon-rules"),
    "terminal": (("base", "core", "sync", "hardware", "kiosk"), "saloon-terminal"),
    "station": (("base", "core", "sync", "station"), "saloon-station"),
    "demo": (("base", "core", "sync", "hardware", "kiosk", "station", "demo"), "saloon-demo"),
}
"""The rooms that a use imports, and its program."""
_USES_EACH_DAY = ("rules", "terminal")
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
    params=[pytest.param(use, marks=() if use in _USES_EACH_DAY else pytest.mark.nightly) for use in USES]
)
def locked(request: pytest.FixtureRequest, wheel: Path, tmp_path: Path) -> tuple[str, Path]:
    """An environment with a lock and the wheel, and nothing that either asks for beside."""
    use = str(request.param)
    folder = tmp_path / "environment"
    run(find_uv_bin(), "venv", "--quiet", folder, cwd=tmp_path)
    python = folder / "bin" / "python"
    install = (find_uv_bin(), "pip", "install", "--quiet", "--python", python, "--no-deps")
    run(*install, "--require-hashes", "--only-binary", ":all:", "-r", LOCKS / f"{use}.lock")
    run(*install, wheel)
    return use, folder


def test_a_lock_is_all_that_its_program_needs(locked: tuple[str, Path], tmp_path: Path) -> None:
    use, folder = locked
    rooms, program = USES[use]
    assert "Usage: " in run(folder / "bin" / program, "--help", cwd=tmp_path)
    imported = run(folder / "bin" / "python", "-W", "ignore", "-c", IMPORT_ALL, *rooms, cwd=tmp_path)
    assert int(imported.split()[-1]) > 50
    if use == "rules":
        assert "27" in run(folder / "bin" / program, "chart", "championship-2022", "27", cwd=tmp_path)
        files = (file.stat().st_size for file in (folder / "lib").rglob("*") if file.is_file())
        assert sum(files) < LARGEST_RULES_MB * 1024**2
