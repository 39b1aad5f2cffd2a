"""The station on an ordinary computer: a unit that systemd accepts, options that exist, a container."""

import re
from pathlib import Path

import click
from click.testing import CliRunner

from station.cli.options import config_option
from station.cli.serve import serve
from tests.image.laid_out import analyzed

COMPUTER = Path(__file__).parents[2] / "image/computer"
ROOT = Path(__file__).parents[2]
MOST_EXPOSED = 3.5
"""The most that systemd-analyze may find, of 10."""


def laid_out(folder: Path) -> Path:
    program = folder / "opt/saloon/bin/saloon-station"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    unit = folder / "etc/systemd/system/saloon-station.service"
    unit.parent.mkdir(parents=True)
    unit.write_bytes((COMPUTER / "saloon-station.service").read_bytes())
    return folder


def test_the_unit_is_accepted_by_systemd_and_locked_in(tmp_path: Path) -> None:
    root = laid_out(tmp_path)
    said = analyzed(root, "verify", "--man=no", f"--root={root}", "saloon-station.service")
    # This root has no system around the unit.
    wrong = [
        line for line in said.splitlines() if "saloon" in line and "sysinit.target not found" not in line
    ]
    assert wrong == []
    unit = root / "etc/systemd/system/saloon-station.service"
    said = analyzed(root, "security", "--offline=true", "--no-pager", str(unit))
    (exposed,) = re.findall(r"Overall exposure level for \S+: ([\d.]+)", said)
    assert float(exposed) <= MOST_EXPOSED


def test_the_file_of_options_has_options_of_serve(tmp_path: Path) -> None:
    @click.command(params=[p for p in serve.params if p.name not in {"folder", "config"}])
    @config_option
    def print_options(**options: object) -> None:
        click.echo(f"{options['http']} {options['https']}")

    text = (COMPUTER / "station.toml").read_text(encoding="utf-8")
    file = tmp_path / "station.toml"
    for written in (text, re.sub(r"(?m)^# (\w+ = )", r"\1", text)):
        file.write_text(written, encoding="utf-8")
        ran = CliRunner().invoke(print_options, ["--config", str(file)])
        assert ran.output == "0.0.0.0:8443 True\n", ran.exception


def test_a_container_copies_and_installs_what_there_is() -> None:
    text = (COMPUTER / "Containerfile").read_text(encoding="utf-8")
    locks = re.findall(r"requirements/\w+\.lock", text)
    assert len(locks) == 2
    assert all((ROOT / lock).is_file() for lock in locks)
    (words,) = re.findall(r"(?m)^CMD \[(.*)\]$", text)
    options = set(re.findall(r'"(--[^"]+)"', words))
    known = {name for option in serve.params for name in (*option.opts, *option.secondary_opts)}
    assert options <= known
    port = re.search(r"0\.0\.0\.0:(\d+)", words)
    assert port is not None
    assert f"EXPOSE {port[1]} 7373" in text
    assert "COPY . " in text
    assert {".git", ".venv"} <= set((ROOT / ".dockerignore").read_text(encoding="utf-8").split())
