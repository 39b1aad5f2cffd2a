"""The real station plays a tournament on paper, on this system and on one without POSIX."""

import contextlib
import os
import re
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from demo.judge import JudgeAtWork
from demo.pages import Pages
from demo.processes import free_port

PASSWORD = "at high noon"
PATIENCE_S = 60.0
POSIX_HIDDEN = {"PYTHONPATH": str(Path(__file__).parent / "other_system")}
PROGRAM = [sys.executable, "-P", "-c", "from station.cli.main import main; main()"]
ROLES = {"role-2": "outlaw", "role-3": "deputy", "role-4": "outlaw", "role-5": "renegade"}
SHEET = {**ROLES, "out-1": "1", "by-1": "2"}
GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="stands in for Windows")


def environment_of(tmp_path: Path, *, is_hidden: bool) -> dict[str, str]:
    data = {"SALOON_STATION_DATA": str(tmp_path / "data"), "PYTHONWARNINGS": "error::ResourceWarning"}
    return {**os.environ, **data, **(POSIX_HIDDEN if is_hidden else {})}


@contextlib.contextmanager
def serving(environment: Mapping[str, str], log: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run the station while the block runs; kill it at the end, if it still runs."""
    at = f"127.0.0.1:{free_port()}"
    where = ("--http", at, "--tls-host", "127.0.0.1", "--tls-port", "0", "--no-announce")
    with log.open("ab") as out:
        station = subprocess.Popen(
            [*PROGRAM, "serve", *where], stdout=out, stderr=out, env=dict(environment), creationflags=GROUP
        )
    try:
        with contextlib.closing(Pages(f"http://{at}")) as pages:
            end = time.monotonic() + PATIENCE_S
            while not pages.is_up():
                words = log.read_text(encoding="utf-8", errors="replace")
                assert station.poll() is None, words
                assert time.monotonic() < end, words
                time.sleep(0.05)
        yield f"http://{at}", station
    finally:
        station.kill()
        station.wait(PATIENCE_S)


def call(environment: Mapping[str, str], *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *arguments], env=dict(environment), input=text, text=True, capture_output=True, check=False
    )


def ask_to_end(station: subprocess.Popen[bytes], environment: Mapping[str, str]) -> None:
    """Ask as the system does: on Windows as when its window is closed."""
    if sys.platform == "win32":
        station.send_signal(signal.CTRL_BREAK_EVENT)
    elif "PYTHONPATH" in environment:
        station.send_signal(signal.SIGUSR2)
    else:
        station.terminate()


def typed_sheet(judge: JudgeAtWork, table: int) -> None:
    """Type in a record sheet: the Sheriff is eliminated by an Outlaw."""
    page = judge.pages.send(judge._get(f"tables/1/{table}/sheet").form("/sheet"), SHEET)
    judge.pages.send(page.form("/sheet/confirm"))


def plays(judge: JudgeAtWork) -> None:
    form = judge.pages.get("/judge/new/championship-2022").form("/tournaments")
    page = judge.pages.send(form, {"name": "Open", "date": "2026-11-21", "rounds": "1"})
    judge.tournament = re.findall(r"/judge/t/(\w+)", page.url)[0]
    listed = "name\n" + "".join(f"Zoë {number}\n" for number in range(10))
    assert judge.register("players.csv", listed.encode()) == 10
    assert judge.begin_round("cactus") == 2
    for table in (1, 2):
        typed_sheet(judge, table)


def ranks_and_prints(judge: JudgeAtWork, *papers: str) -> None:
    """Publish the ranking, in which the Outlaws of both tables won, and print papers."""
    assert sorted(total > 0 for _, _, total in judge.end()) == [False] * 6 + [True] * 4
    for kind in papers:
        paper = judge.pages.download(f"/judge/t/{judge.tournament}/print/{kind}/file")
        assert paper.startswith(b"%PDF-"), paper[:200]


@contextlib.contextmanager
def judging(address: str, trust: ssl.SSLContext | None = None) -> Iterator[JudgeAtWork]:
    with contextlib.closing(JudgeAtWork(Pages(address, trust=trust))) as judge:
        judge.log_in("Roy", PASSWORD)
        yield judge


@pytest.mark.slow
@on_linux
def test_posix_is_hidden_where_it_stands_in_for_windows() -> None:
    ask = """
import importlib, os, signal
from base.system import limit_process

for name in ("fcntl", "pwd", "grp", "resource", "termios", "pty"):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        continue
    raise SystemExit(name)
assert not hasattr(os, "fork") and not hasattr(signal, "SIGKILL")
limit_process(100 << 20, 9)
try:
    bytearray(200 << 20)
except MemoryError:
    print("limited")
"""
    done = subprocess.run(
        [sys.executable, "-c", ask], env={**os.environ, **POSIX_HIDDEN}, capture_output=True, check=True
    )
    assert done.stdout == b"limited\n"


@pytest.mark.nightly
@on_linux
@pytest.mark.slow
def test_a_station_without_posix_plays_on_paper_to_its_ranking(tmp_path: Path) -> None:
    environment = environment_of(tmp_path, is_hidden=True)
    assert call(environment, "judge", "add", "Roy", text=PASSWORD).returncode == 0
    with serving(environment, tmp_path / "log") as (address, station):
        with judging(address) as judge:
            plays(judge)
            ranks_and_prints(judge, "standings")
        ask_to_end(station, environment)
        assert station.wait(PATIENCE_S) == 0


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize("is_hidden", [False, pytest.param(True, marks=on_linux)], ids=["this", "hidden"])
def test_a_station_that_was_killed_ranks_what_was_typed(tmp_path: Path, *, is_hidden: bool) -> None:
    environment, log = environment_of(tmp_path, is_hidden=is_hidden), tmp_path / "log"
    added = call(environment, "judge", "add", "Roy", text=PASSWORD)
    assert added.returncode == 0, added.stderr
    with serving(environment, log) as (address, _):
        assert "running here" in call(environment, "judge", "add", "Ada", text=PASSWORD).stderr
        with judging(address) as judge:
            plays(judge)
    # Its write-ahead log is rewritten under a lock.
    assert (tmp_path / "data/station.sqlite-wal").exists()
    with serving(environment, log) as (address, station):
        with judging(address) as again:
            again.tournament = judge.tournament
            ranks_and_prints(again, "record-sheets", "standings")
        ask_to_end(station, environment)
        assert station.wait(PATIENCE_S) == 0
    assert "station stopped" in log.read_text(encoding="utf-8")
