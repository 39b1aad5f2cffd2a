"""``saloon-station doctor``: the terminals' port, cables and the disk, beside what is stored."""

import json
import os
import pty
from pathlib import Path

from click.testing import CliRunner

from demo.processes import free_port
from station.cli.main import commands
from sync.tls.certificates import own_identity
from tests.rigs.ends import Station as Hall
from tests.station.conftest import Station

FINE = {"disk": "disk_fine", "clock": "clock_fine"}


def looked(folder: Path, *options: str | Path) -> tuple[int, dict[str, str]]:
    words = ["doctor", "--data", folder, "--no-listen", "--json", *options]
    result = CliRunner().invoke(commands, [str(word) for word in words])
    report = json.loads(result.output.splitlines()[-1])
    assert report["fine"] is (result.exit_code == 0)
    return result.exit_code, {check["what"]: check["finding"] for check in report["checks"]}


def test_a_station_that_does_not_run_is_no_fault(station: Station, tmp_path: Path) -> None:
    station.opens(10)
    own_identity(tmp_path, "station")
    status, checks = looked(tmp_path, "--tls-port", str(free_port()))
    assert (status, checks) == (0, FINE | {"terminals' port": "no_station"})


def test_the_own_station_answers_and_another_one_at_the_port_is_named(
    station: Station, tmp_path: Path
) -> None:
    station.opens(10)
    hall = Hall(tmp_path / "hall")
    hall.start()
    for file in hall.identity:
        (tmp_path / file.name).write_bytes(file.read_bytes())
    assert looked(tmp_path, "--tls-port", str(hall.port)) == (0, FINE | {"terminals' port": "fine"})
    for file in own_identity(tmp_path / "other", "station"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    status, checks = looked(tmp_path, "--tls-port", str(hall.port))
    assert (status, checks["terminals' port"]) == (1, "wrong_station")
    hall.stop()


def test_cables_are_looked_at_by_name(station: Station, tmp_path: Path) -> None:
    station.opens(10)
    master, slave = pty.openpty()
    device = os.ttyname(slave)
    status, checks = looked(tmp_path, "--serial", device, "--serial", tmp_path / "none")
    assert status == 1
    assert (checks[f"serial {device}"], checks[f"serial {tmp_path / 'none'}"]) == ("cable_free", "no_device")
    os.close(master)
    os.close(slave)
