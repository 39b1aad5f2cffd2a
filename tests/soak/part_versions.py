"""Stations and terminals of different versions together, and each version on the others' data."""

import functools
import math
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.faults.real_hall import Writer
from tests.soak.counts import Counts, Progress, repeated
from tests.soak.oracle import first_difference
from tests.soak.other_versions import (
    PATIENCE_S,
    Version,
    VersionedStation,
    log_end,
    versions_in,
)

TERMINALS = 4
_RATE = 200
_MAX_WAIT_S = 0.6


class MixedHall:
    """One station's data folder and some terminals' folders, whatever versions use them now."""

    def __init__(self, seed: int, folder: Path) -> None:
        self._folder = folder
        self._chance = random.Random(f"versions {seed}")
        self._station = VersionedStation(folder)
        self._runs: dict[str, Version] = {}
        self._before: dict[str, Version] = {}
        self.writers = [
            Writer(f"t{n}", "", folder / f"t{n}", folder / f"t{n}.words") for n in range(1, TERMINALS + 1)
        ]
        self.crashes = 0
        self.changes = 0
        self.pairs: set[tuple[str, str]] = set()

    def set_up(self, version: Version) -> None:
        """Let a version create the station's data, and a provisioning file for each terminal."""
        self._station.set_up(version, TERMINALS)
        self._note("station", version)

    def stage(self, station: Version, terminals: Sequence[Version], seconds: float) -> None:
        """Let these versions work together and be killed. Each terminal must reach the station."""
        self._station.give_orders(self._chance)
        self._start_station(station)
        had = [writer.last("received") for writer in self.writers]
        for writer, version in zip(self.writers, terminals, strict=True):
            self._start(writer, version)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(self._chance.uniform(0.1, _MAX_WAIT_S))
            if self._chance.random() < 0.3:
                self._end_station(kill=True)
                self._start_station(station)
            else:
                writer = self._chance.choice(self.writers)
                self._kill(writer)
                self._start(writer, self._runs[writer.name])
        for writer, version, count in zip(self.writers, terminals, had, strict=True):
            what = f"nothing by a terminal of {version.name} was received by a station of {station.name}"
            self._wait(functools.partial(_is_heard_after, writer, count), what, writer)
            self.pairs.add((station.name, version.name))

    def stop(self) -> str | None:
        """End this stage at once, and return the oracle's finding about the data."""
        for writer in self.writers:
            self._kill(writer)
        self._end_station(kill=self._chance.random() < 0.5)
        return first_difference([one.view() for one in self.writers], self._station.stored(), settled=False)

    def settle(self, station: Version) -> str | None:
        """Let each terminal's last version deliver everything, and return the oracle's finding."""
        self._start_station(station)
        for writer in self.writers:
            self._start(writer, self._runs[writer.name])
        for writer in self.writers:
            self._wait(writer.has_begun, "not begun", writer)
            assert writer.running is not None
            writer.running.terminate()
        for writer in self.writers:
            self._wait(writer.has_ended, f"not everything was received by {station.name}", writer)
            assert writer.running is not None
            assert writer.running.returncode == 0, self._log_of(writer.name)
        self._end_station(kill=False)
        return first_difference([one.view() for one in self.writers], self._station.stored(), settled=True)

    def go_back(self, station: Version) -> str | None:
        """Start an older station on this data. It must refuse or work, and lose or alter no entry."""
        before = self._station.stored()
        is_refused = self._station.is_refused_by(station)
        self._note("station", station)
        self.crashes += not is_refused
        after = self._station.stored()
        if after.entries[: len(before.entries)] != before.entries or after.epoch != before.epoch:
            return f"a station of {station.name} altered entries of newer data"
        if is_refused and after != before:
            return f"a station of {station.name} refused newer data and wrote into it"
        return None

    def end(self) -> None:
        for writer in self.writers:
            self._kill(writer)
        self._end_station(kill=True)

    def _start_station(self, version: Version) -> None:
        self._station.start(version)
        self._note("station", version)

    def _end_station(self, *, kill: bool) -> None:
        self.crashes += self._station.end(kill=kill)

    def _start(self, writer: Writer, version: Version) -> None:
        known = str(self._folder / f"{writer.name}.toml")
        options = ["--data", str(writer.data), "--provisioning", known, "--rate", str(_RATE)]
        # A line that a kill cut short must not run into the next one.
        with writer.log.open("ab") as words, (self._folder / f"{writer.name}.log").open("ab") as log:
            words.write(b"\n")
            words.flush()
            writer.starts = writer.log.read_text(encoding="ascii").count("begun\n") + 1
            writer.running = version.start([*version.writer(), *options], words, log)
        self._runs[writer.name] = version
        self._note(writer.name, version)

    def _kill(self, writer: Writer) -> None:
        if writer.running is not None:
            self.crashes += writer.running.poll() is None
            writer.running.kill()
            writer.running.wait()
            writer.running = None

    def _note(self, name: str, version: Version) -> None:
        self.changes += self._before.get(name, version) != version
        self._before[name] = version

    def _wait(self, wanted: Callable[[], bool], what: str, writer: Writer) -> None:
        end = time.monotonic() + PATIENCE_S
        while not wanted():
            if time.monotonic() > end:
                raise TimeoutError(f"{what}: {self._log_of(writer.name)}; station: {self._station.log()}")
            time.sleep(0.05)

    def _log_of(self, name: str) -> str:
        return log_end(self._folder / f"{name}.log")


def _is_heard_after(writer: Writer, count: int) -> bool:
    return writer.last("received") > count


_STAGE_S = 3.0


def run_versions(seed: int, seconds: float, progress: Progress) -> Counts:
    """Run halls one after the other, at least as many as are needed for all versions to meet."""
    with tempfile.TemporaryDirectory(prefix="saloon-versions-") as folder:
        versions = versions_in(Path(folder))
        fewest = math.ceil(len(versions) / TERMINALS)
        return repeated(lambda number, _: mixed(number, versions), seed, seconds, progress, least=fewest)


def mixed(seed: int, versions: Sequence[Version], seconds: float = _STAGE_S) -> Counts:
    """Run the hall of a seed. With consecutive seeds, other terminals meet each station."""
    with tempfile.TemporaryDirectory(prefix="saloon-mixed-") as folder:
        hall = MixedHall(seed, Path(folder))
        try:
            problem = _life(hall, seed, versions, seconds)
        except (AssertionError, TimeoutError) as error:
            problem = str(error) or repr(error)
        finally:
            hall.end()
        again = f"again: tests.soak.part_versions.mixed({seed}, versions_in(FOLDER))"
        raws = [writer.view().raws for writer in hall.writers if (writer.data / "journal.db").exists()]
    return Counts(
        events=sum(map(len, raws)),
        crashes=hall.crashes,
        seeds=1,
        cuts=hall.changes,
        octets=sum(len(raw) for of in raws for raw in of),
        failures=(f"versions, seed {seed}: {problem}; {again}",) if problem else (),
    )


def _life(hall: MixedHall, seed: int, versions: Sequence[Version], seconds: float) -> str | None:
    """Return the first problem of a hall whose station is updated from the oldest version to the newest."""
    chance = random.Random(f"life {seed}")
    hall.set_up(versions[0])
    for number, station in enumerate(versions):
        shift = number + seed * TERMINALS
        together = [versions[(shift + terminal) % len(versions)] for terminal in range(TERMINALS)]
        hall.stage(station, together, seconds)
        if problem := hall.stop():
            return f"after {station.name}: {problem}"
        if number + 2 < len(versions) and chance.random() < 0.1:
            break  # the newest takes over from here, without the versions between
    if problem := hall.settle(versions[-1]):
        return problem
    if problem := hall.go_back(chance.choice(versions[:-1])):
        return problem
    return hall.settle(versions[-1])
