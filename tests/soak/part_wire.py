"""An update of each version to each newer one, over the wire from a station of any version."""

import functools
import itertools
import random
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import msgspec

from demo.processes import free_port
from station.updates.rollout import Rollout, RolloutPhase
from sync.protocol.entry import orders_of, table_stream
from sync.tls.certificates import fingerprint_of_pem
from tests.soak.counts import Counts, Progress
from tests.soak.oracle import first_difference, journal_view
from tests.soak.other_versions import (
    PATIENCE_S,
    Version,
    VersionedStation,
    log_end,
    versions_in,
)
from tests.soak.part_updates import ending_of
from tests.soak.update_card import Ending, UpdateCard, bundle_of, judge

PAYLOAD = 600_000
"""The bytes of a version, which are enough pieces for a kill to find it incomplete."""


class WiredUpdate:
    """One update over the wire, offered by a station of some version. The seed determines the kills."""

    def __init__(self, folder: Path, station: Version, former: Version, new: Version, seed: int) -> None:
        self._folder = folder
        self._chance = random.Random(f"wire {seed}")
        self._serves, self._former, self._new = station, former, new
        self._bundle = bundle_of(new, PAYLOAD)
        self._station = VersionedStation(folder)
        self._card = UpdateCard(folder / "card", former, (bundle_of(former), self._bundle))
        self._data = folder / "terminal"
        self._terminal: subprocess.Popen[bytes] | None = None
        self._runs = ""
        self.crashes = 0
        self.events = 0

    def run(self) -> None:
        """Run the update to its end. Raises AssertionError or TimeoutError if it does not get there."""
        (file,) = self._station.set_up(self._serves, 1)
        self._offer()
        self._station.start(self._serves)
        try:
            self._card.boot()
            self._start_terminal(self._former, file)
            self._fetch(file)
            assert self._card.apply(self._former), "what was fetched is not put in place"
            self._reboot()
            assert self._runs == self._bundle.name, "the new version is not tried"
            self.crashes += self._station.end(kill=True)
            self._station.give_orders(self._chance)
            self._station.start(self._serves)
            self._start_terminal(self._new, file)
            for word in ("drawn", "reached"):
                self._wait(self._note(word).exists, f"{self._new.name} has not {word}")
            judge(self._card.root)
            self._reboot()
            assert self._runs == self._bundle.name, "a version that works is not kept"
            self._start_terminal(self._new, file)
            self._wait(self._is_settled, "orders are missing at the terminal")
        finally:
            self._kill_terminal()
            self._station.end(kill=True)

    def _offer(self) -> None:
        """Upload the version as a judge who releases it for all terminals."""
        place = self._station.data / "updates"
        place.mkdir()
        (place / "arm64.saloon").write_bytes(self._bundle.head + self._bundle.payload)
        rollout = Rollout(self._bundle.name, RolloutPhase.EVERYWHERE)
        (place / "rollouts.json").write_bytes(msgspec.json.encode({"arm64": rollout}))

    def _fetch(self, file: Path) -> None:
        """Let the terminal fetch until it requests the installation, while it and the station are killed."""
        for wanted in sorted(self._chance.sample(range(1, PAYLOAD // 2), 2)):
            self._wait(functools.partial(self._has_fetched, wanted), "nothing is fetched")
            if self._chance.random() < 0.5:
                self._kill_terminal()
                self._start_terminal(self._former, file)
            else:
                self.crashes += self._station.end(kill=True)
                self._station.start(self._serves)
        self._wait(self._note("update").exists, "the terminal does not ask for the version")
        self._kill_terminal()
        part = self._card.updates / "incoming" / f"{self._bundle.name}.part"
        assert part.read_bytes() == self._bundle.payload, "what was fetched is altered"

    def _has_fetched(self, wanted: int) -> bool:
        parts = (self._card.updates / "incoming").glob("*.part")
        return sum(part.stat().st_size for part in parts) >= wanted

    def _note(self, word: str) -> Path:
        return self._card.root / "run/saloon-terminal" / word

    def _reboot(self) -> None:
        """Restart the board, which loses its memory."""
        self._kill_terminal()
        self._card.insert(self._card.files())
        self._runs = self._card.boot()

    def _start_terminal(self, version: Version, file: Path) -> None:
        options = ["--data", str(self._data), "--provisioning", str(file), "--pins", "mock"]
        options += ["--virtual", str(free_port()), "--system-root", str(self._card.root)]
        command = ["env", f"RUNTIME_DIRECTORY={self._card.root / 'run/saloon-terminal'}"]
        with (self._folder / "terminal.log").open("ab") as log:
            self._terminal = version.start(
                [*command, *version.program("saloon-terminal"), *options], log, log
            )

    def _kill_terminal(self) -> None:
        if self._terminal is not None:
            self.crashes += self._terminal.poll() is None
            self._terminal.kill()
            self._terminal.wait()
            self._terminal = None

    def _is_settled(self) -> bool:
        """Return whether terminal and station have the same, according to the oracle."""
        certificate = (self._data / "certificate.pem").read_text(encoding="ascii")
        terminal = fingerprint_of_pem(certificate, "terminal")
        view = journal_view(self._data / "journal.db", table_stream(terminal), orders_of(terminal))
        self.events = len(view.raws) + len(view.orders)
        return first_difference([view], self._station.stored(), settled=True) is None

    def _wait(self, wanted: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE_S
        while not wanted():
            if time.monotonic() > end:
                terminal = log_end(self._folder / "terminal.log")
                raise TimeoutError(f"{what}; terminal: {terminal}; station: {self._station.log()}")
            time.sleep(0.02)


_AT_ONCE = 4
"""Updates at once, as a terminal waits half a minute without touches before it requests a version."""


def run_wire(seed: int, seconds: float, progress: Progress) -> Counts:
    """Update all pairs of an older and a newer version on one base, at least once each."""
    end, done = time.monotonic() + seconds, Counts()
    with (
        tempfile.TemporaryDirectory(prefix="saloon-wire-") as folder,
        ThreadPoolExecutor(_AT_ONCE) as threads,
    ):
        versions = versions_in(Path(folder))
        pairs, rounds = _pairs(versions), itertools.count()
        while (number := next(rounds)) == 0 or time.monotonic() < end:
            chance = random.Random(f"wire {seed} {number}")
            chance.shuffle(pairs)
            updates = [
                threads.submit(wired, chance.choice(versions), former, new, chance.randrange(1 << 32))
                for former, new in pairs
            ]
            for update in as_completed(updates):
                done += update.result()
                progress(done)
    return done


def wired(station: Version, former: Version, new: Version, seed: int) -> Counts:
    """Update a terminal of one version to another by a station of a third. The seed determines the kills."""
    with tempfile.TemporaryDirectory(prefix="saloon-wired-") as folder:
        update = WiredUpdate(Path(folder), station, former, new, seed)
        failures: tuple[str, ...] = ()
        try:
            update.run()
        except (AssertionError, TimeoutError) as error:
            names = f"{former.name} → {new.name} by a station of {station.name}, seed {seed}"
            failures = (f"wire, {names}: {error}",)
        return Counts(update.events, update.crashes, seeds=1, octets=PAYLOAD, failures=failures)


def _pairs(versions: Sequence[Version]) -> list[tuple[Version, Version]]:
    """Return all pairs of an older and a newer version that may follow it."""
    return [
        (former, new)
        for former in versions
        for new in versions
        if former is not new and Ending.KEPT in ending_of(former, new)
    ]
