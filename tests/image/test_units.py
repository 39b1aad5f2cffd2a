"""The images' units and scripts as systemd and the shell see them, and their limits beyond their work."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.image.laid_out import IMAGE, STATION, TERMINAL, UNITS, analyzed, lay_out, programs_named

EXPOSED: Final = {
    "saloon-terminal": 33,
    "saloon-wifi": 42,
    "saloon-update": 65,
    "saloon-update-trial": 65,
    "saloon-station": 27,
    "saloon-station-screen": 19,
    "saloon-station-cables": 35,
    "saloon-station-air": 42,
}
"""The most that systemd-analyze may find, in tenths: its figure of today, and room for its other versions."""
MOUNTING: Final = frozenset({
    "saloon-app", "saloon-data", "saloon-grow", "saloon-provision", "saloon-station-prepare", "saloon-stick@",
})  # fmt: skip
"""They mount for everybody: in a place of their own their mounts would be seen by nobody."""
OF_ROOT: Final = frozenset({
    "saloon-logs", "saloon-power-off", "saloon-station-clock", "saloon-station-power-off",
    "saloon-station-restart",
})  # fmt: skip
"""A few words of a shell that are read at a look, and take nothing from outside."""


ROOTS = {"terminal": TERMINAL, "station": STATION}
KINDS = pytest.mark.parametrize("kind", ROOTS)


def units() -> Iterator[Path]:
    for kind in ("common", "terminal", "station"):
        yield from sorted((IMAGE / kind / "root" / UNITS).glob("saloon-*.service"))


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    made = {kind: tmp_path_factory.mktemp("image") / kind for kind in ROOTS}
    for kind, root in made.items():
        lay_out(root, *ROOTS[kind].trees)
    return made


def complaints(root: Path, *names: str) -> list[str]:
    said = analyzed(root, "verify", "--man=no", f"--root={root}", *names)
    return [line for line in said.splitlines() if "saloon" in line.lower()]


@KINDS
def test_every_unit_is_accepted_by_systemd(kind: str, roots: dict[str, Path]) -> None:
    names = [name.replace("@.", "@sda1.") for name in ROOTS[kind].units]
    assert len(names) >= {"terminal": 9, "station": 14}[kind]
    assert complaints(roots[kind], *names) == []


def test_a_unit_with_a_mistake_would_be_seen(roots: dict[str, Path], tmp_path: Path) -> None:
    copy = tmp_path / "root"
    shutil.copytree(roots["terminal"], copy, symlinks=True)
    unit = copy / UNITS / "saloon-terminal.service"
    text = unit.read_text(encoding="utf-8").replace("WatchdogSec", "WatchdogSek")
    unit.write_text(text.replace("bin/saloon-", "bin/s-"), encoding="utf-8")
    assert len(complaints(copy, "saloon-terminal.service")) == 2


def scripts(kind: str) -> dict[str, Path]:
    places = ROOTS[kind].places
    return {name: places[name] for name in places if re.match(r"usr/lib/saloon/(?!base$)", name)}


@KINDS
def test_every_script_that_a_unit_starts_is_there_and_can_be_run(kind: str) -> None:
    texts = [
        path.read_text(encoding="utf-8")
        for path in ROOTS[kind].places.values()
        if path.suffix in {".service", ".conf"} and not path.is_symlink()
    ]
    named = {program[1:] for text in texts for program in programs_named(text)}
    assert {name for name in named if name.startswith("usr/lib/saloon/")} <= scripts(kind).keys()
    for script in scripts(kind).values():
        assert script.stat().st_mode & 0o111 == 0o111, script


@pytest.mark.parametrize(
    "script",
    [*{**scripts("terminal"), **scripts("station")}.values(), IMAGE / "terminal" / "install"],
    ids=lambda path: path.name,
)
def test_every_shell_script_is_sound(script: Path) -> None:
    assert script.read_text(encoding="utf-8").startswith("#!/bin/sh\n")
    subprocess.run(["sh", "-n", str(script)], check=True)


@KINDS
def test_every_unit_that_another_waits_for_is_there_or_belongs_to_the_system(kind: str) -> None:
    for name in ROOTS[kind].units:
        named = re.findall(r"\bsaloon-[\w@-]+\.(?:service|path)\b", ROOTS[kind].unit(name))
        assert set(named) <= set(ROOTS[kind].units), name


@KINDS
def test_what_starts_by_itself_is_named_in_the_presets(kind: str) -> None:
    preset = ROOTS[kind].text("usr/lib/systemd/system-preset/00-saloon.preset")
    patterns = re.findall(r"(?m)^enable (\S+)$", preset)
    for name in ROOTS[kind].units:
        is_named = any(Path(name).match(pattern) for pattern in patterns)
        can_be_enabled = "[Install]" in ROOTS[kind].unit(name)
        assert is_named or not can_be_enabled, name
        # A pattern names all units of the station.
        assert can_be_enabled or not is_named or kind == "station", name
    assert preset.endswith("disable *\n")


def test_every_unit_is_measured_or_has_a_reason_not_to_be() -> None:
    assert {unit.stem for unit in units()} == EXPOSED.keys() | MOUNTING | OF_ROOT


@pytest.mark.parametrize("name", EXPOSED)
def test_a_unit_may_do_little_beyond_its_work(name: str) -> None:
    (unit,) = (unit for unit in units() if unit.stem == name)
    said = analyzed(IMAGE, "security", "--offline=true", "--no-pager", str(unit))
    (exposed,) = re.findall(rf"Overall exposure level for {name}.service: ([\d.]+)", said)
    assert round(float(exposed) * 10) <= EXPOSED[name]


def test_units_that_mount_keep_the_systems_own_view() -> None:
    private = re.compile(r"(?m)^(Protect|Private|ReadWritePaths|TemporaryFileSystem)")
    assert not [unit.stem for unit in units() if unit.stem in MOUNTING and private.search(unit.read_text())]


def test_a_program_of_the_terminal_sets_the_clock_and_the_brightness() -> None:
    (terminal,) = (unit for unit in units() if unit.stem == "saloon-terminal")
    text = terminal.read_text(encoding="utf-8")
    assert "@clock" in text
    for setting in ("ProtectClock=", "ProtectKernelTunables=", "DevicePolicy=", "MemoryDenyWriteExecute="):
        assert f"\n{setting}" not in text
