"""Limits on the images' units beyond their work, as measured by systemd, for every unit."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.image.laid_out import IMAGE

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


def units() -> Iterator[Path]:
    for kind in ("common", "terminal", "station"):
        yield from sorted((IMAGE / kind / "root/usr/lib/systemd/system").glob("saloon-*.service"))


def test_every_unit_is_measured_or_has_a_reason_not_to_be() -> None:
    assert {unit.stem for unit in units()} == EXPOSED.keys() | MOUNTING | OF_ROOT


@pytest.mark.parametrize("name", EXPOSED)
def test_a_unit_may_do_little_beyond_its_work(name: str) -> None:
    program = shutil.which("systemd-analyze")
    assert program is not None, "systemd-analyze is missing: apt install systemd"
    (unit,) = (unit for unit in units() if unit.stem == name)
    done = subprocess.run(
        [program, "security", "--offline=true", f"--threshold={EXPOSED[name]}", "--no-pager", str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert f"Overall exposure level for {name}.service" in done.stdout + done.stderr
    assert done.returncode == 0, done.stdout.splitlines()[-1]


def test_units_that_mount_keep_the_systems_own_view() -> None:
    private = re.compile(r"(?m)^(Protect|Private|ReadWritePaths|TemporaryFileSystem)")
    assert not [unit.stem for unit in units() if unit.stem in MOUNTING and private.search(unit.read_text())]


def test_a_program_of_the_terminal_sets_the_clock_and_the_brightness() -> None:
    (terminal,) = (unit for unit in units() if unit.stem == "saloon-terminal")
    text = terminal.read_text(encoding="utf-8")
    assert "@clock" in text
    for setting in ("ProtectClock=", "ProtectKernelTunables=", "DevicePolicy=", "MemoryDenyWriteExecute="):
        assert f"\n{setting}" not in text
