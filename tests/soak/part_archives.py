"""Whole tournaments that versions play alone and with this one, opened and verified by every newer one."""

import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from sync.protocol.entry import Epoch, StreamId, TerminalId, orders_of
from sync.protocol.journal import Journal
from tests.soak.counts import Counts, Progress
from tests.soak.oracle import first_difference, journal_view, station_view
from tests.soak.other_versions import Version, versions_in

KEPT = Path(__file__).parent / "archive-11-21.tar.xz"
"""The tournament that the version of 21 November played, for machines that lack the history."""
_PLAYERS = "4"
_SPEED = "200"
_DRIVER = "import sys; sys.executable = {python!r}; from {module} import main; main()"
"""The demonstration starts its processes from the programs beside its interpreter."""
_PATIENCE_S = 900
_Line = tuple[str, str, int, str]
_line = msgspec.json.Decoder(dict[str, object])


def unpack_kept(folder: Path) -> Path:
    """Unpack the archive beside this module and return its folder."""
    with tarfile.open(KEPT) as packed:
        # Python has filters since 3.11.4; Debian 12 has 3.11.2.
        packed.extraction_filter = getattr(tarfile, "data_filter", None)
        packed.extractall(folder)
    return folder


def start_playing(station: Version, terminal: Version, folder: Path) -> subprocess.Popen[bytes]:
    """Let a station of one version and terminals and players of another play a whole tournament."""
    programs = folder / "programs"
    programs.mkdir(parents=True, exist_ok=True)
    for name, version in (
        ("saloon-station", station),
        ("saloon-rules", station),
        ("saloon-terminal", terminal),
    ):
        _write_script(programs / name, _as_version(version, version.program(name)[0]))
    at_the_table, elsewhere = (_as_version(one, str(one.python)) for one in (terminal, station))
    new_name = f'name={terminal.module("")}${{2#saloon.}}; shift 2; set -- -m "$name" "$@"'
    players = f'while [ "$1" != -m ]; do shift; done; {new_name}'
    choice = f'case "$*" in *kiosk.rehearsal*) {players}; {at_the_table} ;; *) {elsewhere} ;; esac'
    _write_script(programs / "python", choice)
    options = ["--auto", "--edition", "simplified-2003", "--count", _PLAYERS, "--speed", _SPEED]
    program = _DRIVER.format(python=str(programs / "python"), module=station.module("demo.main"))
    driver = [str(station.python), "-c", program]
    with (folder / "demo.log").open("wb") as log:
        return station.start([*driver, *options, "--keep", str(folder)], log, log)


def _as_version(version: Version, program: str) -> str:
    return f'PYTHONPATH={version.environment()["PYTHONPATH"]} exec {program} "$@"'


def _write_script(path: Path, command: str) -> None:
    path.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
    path.chmod(0o755)


def wait_until_played(playing: subprocess.Popen[bytes], folder: Path) -> str | None:
    """Wait for the end of a tournament, and return the problem, if any."""
    try:
        ended = playing.wait(_PATIENCE_S)
    except subprocess.TimeoutExpired:
        playing.kill()
        playing.wait()
        return f"not over after {_PATIENCE_S} s"
    said = (folder / "demo.log").read_text(encoding="utf-8", errors="replace")
    return f"ended with {ended}: {said[-500:]}" if ended or not (folder / "export.jsonl").exists() else None


def read_by(reader: Version, archive: Path) -> Counts:
    """Let a newer version open and verify the data. Failures are lost, altered or refused data."""
    with tempfile.TemporaryDirectory(prefix="saloon-archive-") as name:
        folder = Path(name)
        # The folders of an archive stay as they are: the next version opens them, too.
        shutil.copytree(archive / "station", folder / "station")
        shutil.copytree(archive / "terminal-1", folder / "terminal-1")
        pack = (archive / "export.jsonl").read_bytes()
        before = _entries(folder)
        try:
            _verify(reader, archive / "export.jsonl")
            _export(reader, folder, _tournament(pack))
            again = (folder / "again.jsonl").read_bytes()
            assert _lines(again) == _lines(pack), "other entries are exported than by the older version"
            _verify(reader, folder / "again.jsonl")
            assert _entries(folder) == before, "entries in the station's database were lost or altered"
            _compare_journal(folder)
        except AssertionError as error:
            return Counts(seeds=1, failures=(f"read by {reader.name}: {error}",))
        return Counts(events=len(before), seeds=1, octets=len(pack) + len(again))


def _verify(reader: Version, pack: Path) -> None:
    done = _run(reader, *reader.program("saloon-rules"), "verify", str(pack))
    assert done.returncode == 0, f"the proof pack does not hold: {_end_of(done)}"


def _export(reader: Version, folder: Path, tournament: str) -> None:
    data, out = str(folder / "station"), str(folder / "again.jsonl")
    command = [*reader.program("saloon-station"), "export", tournament, out, "--data", data]
    done = _run(reader, *command)
    assert done.returncode == 0, f"the older database is not exported: {_end_of(done)}"


def _run(reader: Version, *command: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**reader.environment(), "COLUMNS": "200"}
    return subprocess.run(
        command, cwd=reader.folder, env=environment, capture_output=True, timeout=_PATIENCE_S, check=False
    )


def _end_of(done: subprocess.CompletedProcess[bytes]) -> str:
    return (done.stdout + done.stderr).decode(errors="replace")[-600:].replace(os.linesep, " ")


def _tournament(pack: bytes) -> str:
    return str(_line.decode(pack.partition(b"\n")[0])["tournament"])


def _lines(pack: bytes) -> list[_Line]:
    """Return the entries of a proof pack, since what is computed from them may be worded otherwise."""
    lines = [_line.decode(line) for line in pack.splitlines()]
    return sorted(
        (str(one["stream"]), str(one["epoch"]), int(str(one["seq"])), str(one["raw"]))
        for one in lines
        if "raw" in one
    )


def _entries(folder: Path) -> dict[tuple[str, str, int], bytes]:
    rows = _select(folder / "station/station.sqlite", "SELECT stream, epoch, seq, raw, hash FROM entries")
    return {(stream, epoch, seq): bytes(raw) + bytes(digest) for stream, epoch, seq, raw, digest in rows}


def _compare_journal(folder: Path) -> None:
    """Open the terminal's journal like a terminal of this version, and ask the oracle about both ends."""
    file, database = folder / "terminal-1/journal.db", folder / "station/station.sqlite"
    ((epoch,),) = _select(database, "SELECT value FROM settings WHERE name = 'epoch'")
    ((terminal,),) = _select(database, "SELECT terminal FROM terminals")
    ((board,),) = _select(file, "SELECT value FROM facts WHERE name = 'board'")
    stream, orders = StreamId(f"table/{terminal}"), orders_of(TerminalId(terminal))
    before = journal_view(file, stream, orders)
    with Journal(file, stream, orders, board) as journal:
        assert tuple(journal.own()) == before.raws, "the terminal's journal is read otherwise"
    problem = first_difference([before], station_view(database, Epoch(epoch)), settled=True)
    assert problem is None, problem


def _select(file: Path, query: str) -> list[tuple[Any, ...]]:
    with contextlib.closing(sqlite3.connect(file)) as database:
        return database.execute(query).fetchall()


_AT_ONCE = 2
_Pair = tuple[Version, Version]
"""The station's version and the terminals'."""


def run_archives(seed: int, seconds: float, progress: Progress) -> Counts:
    """Play tournaments of all earlier versions, at least two, in an order given by the seed."""
    end, done = time.monotonic() + seconds, Counts()
    with tempfile.TemporaryDirectory(prefix="saloon-archives-") as folder:
        versions = versions_in(Path(folder) / "versions")
        *earlier, this = versions
        waiting = [pair for one in earlier for pair in ((this, one), (one, this), (one, one))]
        random.Random(f"archives {seed}").shuffle(waiting)
        while waiting and (not done.seeds or time.monotonic() < end):
            chosen, waiting = waiting[:_AT_ONCE], waiting[_AT_ONCE:]
            for counts in _played(chosen, versions, Path(folder)):
                done += counts
                progress(done)
    return done


def _played(chosen: Sequence[_Pair], versions: Sequence[Version], folder: Path) -> Iterator[Counts]:
    """Let pairs of station and terminals play at the same time, and all newer versions read the results."""
    places = [folder / f"archive-{station.made}-{terminal.made}" for station, terminal in chosen]
    playing = [start_playing(*pair, place) for pair, place in zip(chosen, places, strict=True)]
    for pair, place, process in zip(chosen, places, playing, strict=True):
        what = " with terminals of ".join(version.name for version in pair)
        if problem := wait_until_played(process, place):
            yield Counts(failures=(f"archives: the tournament of {what} {problem}",))
            continue
        for reader in versions[max(map(versions.index, pair)) :]:
            read = read_by(reader, place)
            said = tuple(f"archives: a tournament of {what}, {one}" for one in read.failures)
            yield Counts(read.events, read.crashes, read.seeds, read.cuts, read.octets, said)
