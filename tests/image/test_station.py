"""The station's image: its units, its scripts at work, and that program and system agree on files."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from station.appliance.appliance import WAS_SET, SystemRequest
from station.appliance.stick import FOLDER
from station.cli.main import commands
from tests.image.laid_out import IMAGE, STATION

PLACES, text, unit = STATION.places, STATION.text, STATION.unit
SCRIPTS = IMAGE / "station/root/usr/lib/saloon"


def run(*words: str | Path, **more: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin", **more}
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)


def test_the_station_and_its_screen_start_by_themselves() -> None:
    for name in ("saloon-station.service", "saloon-station-prepare.service", "saloon-station-screen.service"):
        assert "WantedBy=multi-user.target" in unit(name)


def test_the_station_is_started_with_options_that_it_has() -> None:
    (started,) = re.findall(r"(?m)^ExecStart=\S+ serve (.*)$", unit("saloon-station.service"))
    words = started.removesuffix(" $SALOON_CABLES").split()
    answer = CliRunner().invoke(commands, ["serve", *words, "--help"])
    assert answer.exit_code == 0, answer.output
    for word in (word for word in words if word.startswith("--")):
        assert word in answer.output


def test_the_station_may_open_a_connection_for_everybody_in_a_hall_and_gives_memory_back() -> None:
    (files,) = re.findall(r"(?m)^LimitNOFILE=(\d+)$", unit("saloon-station.service"))
    assert int(files) >= 8_192
    assert re.search(r"(?m)^Environment=MALLOC_ARENA_MAX=[12]$", unit("saloon-station.service"))


def test_program_and_system_agree_on_the_files_by_which_things_are_asked() -> None:
    for request in SystemRequest:
        assert f"PathExists=/run/saloon-station/{request.value}" in unit(
            f"saloon-station-{request.value}.path"
        )
    assert str(WAS_SET) in text("usr/lib/saloon/station-clock")
    assert "--appliance /run/saloon-station" in unit("saloon-station.service")
    assert "--folder /run/saloon-station" in unit("saloon-station-screen.service")
    assert FOLDER == "Saloon", "docs/guides/judge.md names it"


def test_there_is_no_shell_and_no_login_at_the_station_s_screen() -> None:
    assert "getty" not in "".join(unit(name) for name in STATION.units if "screen" not in name)
    assert "NAutoVTs=0" in text("etc/systemd/logind.conf.d/saloon.conf")
    assert 'ATTR{inhibited}="1"' in text("usr/lib/udev/rules.d/70-saloon-station.rules")


def test_the_power_button_is_heard_by_logind_which_terminals_have_not() -> None:
    assert "HandlePowerKey=poweroff" in text("etc/systemd/logind.conf.d/saloon.conf")
    assert "etc/systemd/system/systemd-logind.service" not in PLACES
    assert (IMAGE / "terminal/root/etc/systemd/system/systemd-logind.service").is_symlink()


def test_the_station_ends_before_its_stick_is_unmounted() -> None:
    assert "Before=saloon-station.service\n" in unit("saloon-stick@.service")
    assert re.search(r"(?m)^After=.*\bmedia-saloon\.mount\b", unit("saloon-station.service"))
    assert "dirsync" in unit("saloon-stick@.service")


def test_the_firewall_is_read_by_nft_and_opens_what_the_station_serves() -> None:
    rules = text("etc/nftables.conf")
    for port in ("80", "443", "7373", "5353", "67"):
        assert re.search(rf"dport {{[^}}]*\b{port}\b", rules)
    assert rules.count("policy drop") == 2
    nft = shutil.which("nft") or shutil.which("/usr/sbin/nft")
    if nft is not None and os.geteuid() == 0:
        assert run(nft, "-c", "-f", str(PLACES["etc/nftables.conf"])).stderr == ""


@pytest.mark.parametrize(
    ("typed", "seconds"),
    [
        ("1795200000123\n", "1795200000"),
        ("1795200000123", "1795200000"),
        ("0\n", "0"),
        *((wrong, "") for wrong in ("", "x", "1; reboot", "-5", "9" * 16, "1.5", "$(reboot)")),
    ],
)
def test_the_clock_is_set_to_what_a_browser_said_and_to_nothing_else(
    tmp_path: Path, typed: str, seconds: str
) -> None:
    assert set_clock(tmp_path, typed) == (f"-u -s @{seconds}" if seconds else "")
    assert (tmp_path / "was-set").exists() == bool(seconds)
    assert not (tmp_path / "clock").exists()


def test_files_of_a_time_to_come_do_not_take_the_next_start_there(tmp_path: Path) -> None:
    written = tmp_path / "data" / "station.sqlite"
    written.parent.mkdir()
    for of_s in (4_000_000_000, 1_600_000_000):
        written.touch()
        os.utime(written, (of_s, of_s))
        set_clock(tmp_path, "1795200000123")
        assert (written.stat().st_mtime != of_s) is (of_s > 1_795_200_000)


def set_clock(folder: Path, typed: str) -> str:
    """Return the arguments with which the script called ``date``."""
    (folder / "clock").write_text(typed)
    date = folder / "date"
    date.write_text(f'#!/bin/sh\necho "$@" >> {folder}/asked\n')
    date.chmod(0o755)
    places = {"FOLDER": str(folder), "DATA": str(folder / "data"), "SIGN": str(folder / "was-set")}
    run(SCRIPTS / "station-clock", DATE=str(date), **places)
    file = folder / "asked"
    return file.read_text().strip() if file.exists() else ""
