import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from saloon.kiosk.app.power_off import REQUEST

TERMINAL = Path(__file__).parents[2] / "image" / "terminal"
LOCK = Path(__file__).parents[2] / "requirements" / "dev.lock"


def test_the_unit_is_accepted_by_systemd(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    assert analyze is not None, "systemd-analyze is missing: apt install systemd"
    unit = (TERMINAL / "saloon-terminal.service").read_text(encoding="utf-8")
    here = unit.replace(
        "/opt/saloon/bin/saloon-terminal", str(Path(sys.executable).parent / "saloon-terminal")
    )
    copy = tmp_path / "saloon-terminal.service"
    copy.write_text(here, encoding="utf-8")
    done = subprocess.run(
        [analyze, "verify", "--man=no", str(copy)], capture_output=True, text=True, check=False
    )
    complaints = [line for line in done.stderr.splitlines() if "saloon-terminal" in line]
    assert complaints == []


def test_the_unit_of_the_console_is_accepted_by_systemd(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    assert analyze is not None, "systemd-analyze is missing: apt install systemd"
    unit = (TERMINAL / "saloon-console.service").read_text(encoding="utf-8")
    copy = tmp_path / "saloon-console.service"
    copy.write_text(unit.replace("/opt/saloon/bin/python", sys.executable), encoding="utf-8")
    done = subprocess.run(
        [analyze, "verify", "--man=no", str(copy)], capture_output=True, text=True, check=False
    )
    assert [line for line in done.stderr.splitlines() if "saloon-console" in line] == []


def test_the_installer_puts_every_file_in_place() -> None:
    installer = (TERMINAL / "install").read_text(encoding="utf-8")
    for file in TERMINAL.iterdir():
        if file.suffix in {".service", ".rules", ".sysusers"}:
            assert f'"$here/{file.name}"' in installer, file.name


def test_the_unit_of_a_stick_is_accepted_by_systemd(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    assert analyze is not None, "systemd-analyze is missing: apt install systemd"
    copy = tmp_path / "saloon-stick@sda1.service"
    copy.write_text((TERMINAL / "saloon-stick@.service").read_text(encoding="utf-8"), encoding="utf-8")
    done = subprocess.run(
        [analyze, "verify", "--man=no", str(copy)], capture_output=True, text=True, check=False
    )
    assert [line for line in done.stderr.splitlines() if "saloon-stick" in line] == []
    rule = (TERMINAL / "99-saloon-stick.rules").read_text(encoding="utf-8")
    assert "saloon-stick@%k.service" in rule


@pytest.mark.parametrize("unit", ["saloon-power-off.path", "saloon-power-off.service"])
def test_the_units_that_switch_the_board_off_are_accepted_by_systemd(tmp_path: Path, unit: str) -> None:
    analyze = shutil.which("systemd-analyze")
    assert analyze is not None, "systemd-analyze is missing: apt install systemd"
    for name in ("saloon-power-off.path", "saloon-power-off.service"):
        (tmp_path / name).write_text((TERMINAL / name).read_text(encoding="utf-8"), encoding="utf-8")
    done = subprocess.run(
        [analyze, "verify", "--man=no", str(tmp_path / unit)], capture_output=True, text=True, check=False
    )
    assert [line for line in done.stderr.splitlines() if "saloon-power" in line] == []


def test_the_system_watches_the_file_by_which_the_terminal_asks() -> None:
    path = (TERMINAL / "saloon-power-off.path").read_text(encoding="utf-8")
    unit = (TERMINAL / "saloon-terminal.service").read_text(encoding="utf-8")
    assert f"PathExists=/run/saloon-terminal/{REQUEST}" in path
    assert "RuntimeDirectory=saloon-terminal" in unit


def test_the_installer_is_a_sound_shell_script() -> None:
    subprocess.run(["sh", "-n", str(TERMINAL / "install")], check=True)


def test_a_terminal_takes_pygame_from_its_system() -> None:
    done = subprocess.run(
        [sys.executable, str(TERMINAL / "requirements"), str(LOCK)],
        capture_output=True,
        text=True,
        check=True,
    )
    names = {
        line.split("==")[0] for line in done.stdout.splitlines() if "==" in line and not line.startswith(" ")
    }
    assert "pygame" not in names
    assert {"gpiozero", "msgspec", "hatchling", "pyserial"} <= names
