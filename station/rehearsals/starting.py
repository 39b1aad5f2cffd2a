"""Starts a rehearsal as a program of its own, asks it, and sees to it that nothing of it is left."""

import contextlib
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Final

import msgspec

from saloon.core.errors import Refused, Unavailable
from saloon.station.rehearsals.calling import asked
from saloon.station.rehearsals.contract import End, Look, Request, Stage, Told
from saloon.station.rehearsals.reasons import Reason

PROGRAM: Final = (sys.executable, "-m", "saloon.demo.rehearsal")
_SOCKET: Final = "control"
_DEBRIEF: Final = "debrief.json"
_GRACE_S: Final = 60.0
_LAST_WORDS: Final = 600


class Wanted(msgspec.Struct, frozen=True):
    """What a judge asks for. per_hour: faults that come by themselves. host: where its pages shall be."""

    tables: int = 5
    speed: float = 1.0
    per_hour: float = 0.0
    judges_confirm: bool = True
    seed: int = 1
    host: str = "127.0.0.1"

    def arguments(self) -> tuple[str, ...]:
        """Of the program."""
        return (
            "--tables", str(self.tables), "--speed", str(self.speed), "--trouble", str(self.per_hour),
            "--seed", str(self.seed), "--host", self.host,
            "--judges-confirm" if self.judges_confirm else "--players-confirm",
        )  # fmt: skip


class Rehearsals:
    """At most one rehearsal at a time. Calls block for a moment; ``end`` until all of it has ended.

    program: what is started, for tests.
    """

    def __init__(self, program: tuple[str, ...] = PROGRAM) -> None:
        self._program = program
        self._running: subprocess.Popen[bytes] | None = None
        self._folder: Path | None = None
        self._last: Told | None = None
        self._beginning_or_over = threading.Lock()
        """Two judges may press at once."""

    @property
    def folder(self) -> Path | None:
        """Where the running one keeps all it has."""
        return self._folder

    def start(self, wanted: Wanted) -> None:
        """Start one. Raises Refused where one runs already, Unavailable where none can be started."""
        with self._beginning_or_over:
            self._start(wanted)

    def now(self) -> Told | None:
        """How it is going, or what the last one came to; None where there was none yet."""
        running = self._running
        if running is not None and running.poll() is not None:
            self._note_the_end(running)
        if self._running is not None and self._folder is not None:
            # Not listening yet, or ending: what was known last holds.
            with contextlib.suppress(Unavailable):
                self._last = asked(self._folder / _SOCKET, Look())
        return self._last

    def ask(self, request: Request) -> Told:
        """Ask something of it. Raises Refused where none runs, Unavailable where it does not answer."""
        if self._running is None or self._folder is None:
            raise Refused(Reason.NONE_RUNS)
        self._last = asked(self._folder / _SOCKET, request)
        return self._last

    def end(self) -> None:
        """End it and wait until nothing of it is left; its debrief stays until the next one."""
        running, folder = self._running, self._folder
        if running is None or folder is None:
            return
        try:
            asked(folder / _SOCKET, End())
        except Unavailable:
            running.terminate()
        for harder in (running.terminate, running.kill):
            try:
                running.wait(_GRACE_S)
                break
            except subprocess.TimeoutExpired:
                # Only a program that ends in order takes its own programs with it.
                harder()
        self._note_the_end(running)

    def _start(self, wanted: Wanted) -> None:
        if self._running is not None and self._running.poll() is None:
            raise Refused(Reason.ONE_RUNS)
        self._clear()
        self._folder = Path(tempfile.mkdtemp(prefix="saloon-rehearsal-"))
        log = (self._folder / "log").open("wb")
        with log:
            try:
                self._running = subprocess.Popen(  # noqa: S603 (our own program, numbers of our own)
                    (*self._program, *wanted.arguments(), *_where(self._folder)),
                    stdin=subprocess.PIPE,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            except OSError as error:
                self._clear()
                raise Unavailable(f"the rehearsal cannot be started: {error.strerror}") from error
        self._last = Told(Stage.STARTING)

    def _note_the_end(self, running: subprocess.Popen[bytes]) -> None:
        """Read what it came to, and take its folder away; nothing where another judge was quicker."""
        with self._beginning_or_over:
            if self._running is running and self._folder is not None:
                self._read_the_end(running, self._folder)
                self._clear()

    def _read_the_end(self, running: subprocess.Popen[bytes], folder: Path) -> None:
        status = running.wait()
        try:
            self._last = msgspec.json.decode((folder / _DEBRIEF).read_bytes(), type=Told)
        except (OSError, msgspec.DecodeError):
            words = (folder / "log").read_text(errors="replace")[-_LAST_WORDS:]
            self._last = Told(Stage.FAILED, why=f"status {status}: {words}")

    def _clear(self) -> None:
        if self._running is not None and self._running.stdin is not None:
            self._running.stdin.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._running = self._folder = None


def _where(folder: Path) -> tuple[str, ...]:
    """It keeps all it has in the folder, and ends with us."""
    return ("--until-input-ends", "--directory", str(folder))
