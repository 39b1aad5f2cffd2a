"""The real station plays a tournament on paper, on this system and on one without POSIX."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from saloon.demo.judge import JudgeAtWork
from saloon.demo.pages import Pages
from saloon.demo.processes import free_port

PASSWORD = "at high noon"
PATIENCE_S = 60.0
POSIX_HIDDEN = {"PYTHONPATH": str(Path(__file__).parent / "other_system")}
PROGRAM = [sys.executable, "-P", "-c", "from saloon.station.cli.main import main; main()"]
ROLES = {"role-2": "outlaw", "role-3": "deputy", "role-4": "outlaw", "role-5": "renegade"}
SHEET = {**ROLES, "out-1": "1", "by-1": "2"}
GROUP = subprocess.CREATE_NEW_PROCESS_GROUP if sys.platform == "win32" else 0
SYSTEMS = [
    pytest.param("this", marks=[pytest.mark.nightly] if sys.platform == "linux" else []),
    pytest.param("hidden", marks=pytest.mark.skipif(sys.platform != "linux", reason="stands in for Windows")),
]


@pytest.fixture(params=SYSTEMS)
def environment(request: pytest.FixtureRequest, tmp_path: Path) -> Mapping[str, str]:
    data = {"SALOON_STATION_DATA": str(tmp_path / "data"), "PYTHONWARNINGS": "error::ResourceWarning"}
    return {**os.environ, **data, **(POSIX_HIDDEN if request.param == "hidden" else {})}


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
    page = judge._pages.send(judge._get(f"tables/1/{table}/sheet").form("/sheet"), SHEET)
    judge._pages.send(page.form("/sheet/confirm"))


def test_posix_is_hidden_where_it_stands_in_for_windows() -> None:
    if sys.platform != "linux":
        pytest.skip("stands in for Windows")
    ask = """
import importlib, os, signal
for name in ("fcntl", "pwd", "grp", "resource", "termios", "pty"):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        continue
    raise SystemExit(name)
assert not hasattr(os, "fork") and not hasattr(signal, "SIGKILL")
"""
    subprocess.run([sys.executable, "-c", ask], env={**os.environ, **POSIX_HIDDEN}, check=True)


def test_a_tournament_on_paper_comes_to_its_ranking_and_papers(
    environment: Mapping[str, str], tmp_path: Path
) -> None:
    added = call(environment, "judge", "add", "Roy", text=PASSWORD)
    assert added.returncode == 0, added.stderr
    log = tmp_path / "log"
    with serving(environment, log) as (address, _):
        assert "running here" in call(environment, "judge", "add", "Ada", text=PASSWORD).stderr
        judge = JudgeAtWork(Pages(address))
        with contextlib.closing(judge):
            judge.log_in("Roy", PASSWORD)
            form = judge._pages.get("/judge/new/championship-2022").form("/tournaments")
            page = judge._pages.send(form, {"name": "Open", "date": "2026-11-21", "rounds": "1"})
            judge.tournament = re.findall(r"/judge/t/(\w+)", page.url)[0]
            listed = "name\n" + "".join(f"Zoë {number}\n" for number in range(10))
            assert judge.register("players.csv", listed.encode()) == 10
            assert judge.begin_round("cactus") == 2
            for table in (1, 2):
                typed_sheet(judge, table)
            tournament = judge.tournament
    # It was killed: its write-ahead log is rewritten under a lock.
    assert (tmp_path / "data/station.sqlite-wal").exists()
    with serving(environment, log) as (address, station):
        judge = JudgeAtWork(Pages(address))
        with contextlib.closing(judge):
            judge.log_in("Roy", PASSWORD)
            judge.tournament = tournament
            ranking = judge.end()
            assert sorted(total > 0 for _, _, total in ranking) == [False] * 6 + [True] * 4
            for kind in ("record-sheets", "standings"):
                paper = judge._pages.download(f"/judge/t/{tournament}/print/{kind}/file")
                assert paper.startswith(b"%PDF-"), paper[:200]
        ask_to_end(station, environment)
        assert station.wait(PATIENCE_S) == 0
    assert "station stopped" in log.read_text(encoding="utf-8")
