"""A new version from a station to a terminal over TLS, both of any version, and both killed on its way.

The terminal fetches with its own program and asks for the version, its image's scripts put it in place, and
the new program itself proves on its first start that it draws and reaches the station.
"""

import functools
import random
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from demo.processes import free_port
from station.updates.rollout import Rollout, RolloutPhase
from sync.protocol.entry import orders_of, table_stream
from sync.tls.certificates import fingerprint_of_pem
from tests.soak.oracle import first_difference
from tests.soak.other_versions import Version
from tests.soak.update_card import UpdateCard, bundle_of
from tests.soak.versioned_station import PATIENCE_S, VersionedStation, log_end
from tests.soak.views import journal_view

PAYLOAD = 600_000
"""Bytes of a version: enough pieces that a kill finds it incomplete."""


class WiredUpdate:
    """One update over the wire. station: the version that offers it. seed: of the kills."""

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
        """Run the update to its end. Raises AssertionError or TimeoutError where it does not get there."""
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
            self._card.judge()
            self._reboot()
            assert self._runs == self._bundle.name, "a version that works is not kept"
            self._start_terminal(self._new, file)
            self._wait(self._is_settled, "orders are missing at the terminal")
        finally:
            self._kill_terminal()
            self._station.end(kill=True)

    def _offer(self) -> None:
        """Place the version as a judge who lets it go everywhere."""
        place = self._station.data / "updates"
        place.mkdir()
        (place / "arm64.saloon").write_bytes(self._bundle.head + self._bundle.payload)
        rollout = Rollout(self._bundle.name, RolloutPhase.EVERYWHERE)
        (place / "rollouts.json").write_bytes(msgspec.json.encode({"arm64": rollout}))

    def _fetch(self, file: Path) -> None:
        """Let the terminal fetch until it asks for the version; kill it and the station on the way."""
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
        """Start the board again: what was in memory is gone."""
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
        """Return whether terminal and station have the same, by the oracle."""
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
