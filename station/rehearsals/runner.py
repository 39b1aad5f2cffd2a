"""Start a rehearsal as a separate program, send it requests and clean up after it."""

import contextlib
import enum
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Final

import msgspec

from base.errors import Refused, Unavailable
from base.system import HAS_LOCAL_SOCKETS, local_socket
from station.rehearsals.contract import End, GetState, RehearsalStage, RehearsalState, Request, state_decoder

_PATIENCE_S: Final = 5.0
_LONGEST: Final = 4_000_000


def send_request(path: Path, request: Request) -> RehearsalState:
    """Send a request to a rehearsal's socket, and return the answer. Raises Unavailable if there is none."""
    try:
        with local_socket() as asker:
            asker.settimeout(_PATIENCE_S)
            asker.connect(str(path))
            asker.sendall(msgspec.json.encode(request) + b"\n")
            data = bytearray()
            while not data.endswith(b"\n") and len(data) < _LONGEST:
                more = asker.recv(65_536)
                if not more:
                    break
                data += more
            return state_decoder.decode(bytes(data))
    except (OSError, msgspec.DecodeError) as error:
        raise Unavailable(f"no rehearsal answers at {path}: {error}") from error


class RehearsalReason(enum.Enum):
    """The reasons for refusing an action on a rehearsal."""

    ONE_RUNS = "A rehearsal is already running. End it first."
    NONE_RUNS = "No rehearsal is running."
    ROUND_RUNS = (
        "A round of {name} is in progress, and the hall needs this computer. Rehearse before the "
        "tournament day, or after it."
    )
    IN_REHEARSAL = "This station belongs to a rehearsal. Start another one at the real station."
    NOT_POSSIBLE = "{what} isn't possible here."
    NOT_INSTALLED = "Rehearsals need Linux and all of Saloon, as pipx or uv installs it. They can't run here."


PROGRAM: Final = (str(Path(sys.executable).with_name("saloon-demo")), "rehearsal")
"""The program of the demonstration; the station's SD card image does not include it."""
_SOCKET: Final = "control"
_DEBRIEF: Final = "debrief.json"
_GRACE_S: Final = 60.0
_LAST_WORDS: Final = 600


class RehearsalOptions(msgspec.Struct, frozen=True):
    """The options of a rehearsal. ``per_hour`` is the rate of random faults."""

    tables: int = 5
    speed: float = 1.0
    per_hour: float = 0.0
    judges_confirm: bool = True
    seed: int = 1
    host: str = "127.0.0.1"

    def arguments(self) -> tuple[str, ...]:
        """Return the program's command-line arguments."""
        return (
            "--tables", str(self.tables), "--speed", str(self.speed), "--trouble", str(self.per_hour),
            "--seed", str(self.seed), "--host", self.host,
            "--judges-confirm" if self.judges_confirm else "--players-confirm",
        )  # fmt: skip


class RehearsalRunner:
    """A runner of at most one rehearsal. Calls block briefly, but ``end`` waits for the shutdown."""

    def __init__(self, program: tuple[str, ...] = PROGRAM) -> None:
        self._program = program
        self._running: subprocess.Popen[bytes] | None = None
        self._folder: Path | None = None
        self._last: RehearsalState | None = None
        self._beginning_or_over = threading.Lock()
        """Guards start and end, as two judges may press a button at the same time."""

    @property
    def folder(self) -> Path | None:
        return self._folder

    def start(self, wanted: RehearsalOptions) -> None:
        """Start a rehearsal. Raises Refused if one is running or none can, Unavailable if it fails."""
        with self._beginning_or_over:
            if self._running is not None and self._running.poll() is None:
                raise Refused(RehearsalReason.ONE_RUNS)
            if not HAS_LOCAL_SOCKETS or shutil.which(self._program[0]) is None:
                raise Refused(RehearsalReason.NOT_INSTALLED)
            self._clear()
            self._folder = Path(tempfile.mkdtemp(prefix="saloon-rehearsal-"))
            # The program ends when we close its standard input.
            where = ("--until-input-ends", "--directory", str(self._folder))
            try:
                with (self._folder / "log").open("wb") as log:
                    self._running = subprocess.Popen(  # noqa: S603 (our own program, numbers of our own)
                        (*self._program, *wanted.arguments(), *where),
                        stdin=subprocess.PIPE,
                        stdout=log,
                        stderr=subprocess.STDOUT,
                        start_new_session=True,
                    )
            except OSError as error:
                self._clear()
                problem = f"the rehearsal cannot be started: {error.filename}: {error.strerror}"
                raise Unavailable(problem) from error
            self._last = RehearsalState(RehearsalStage.STARTING)

    def now(self) -> RehearsalState | None:
        """Return the current state, or the last rehearsal's final state; None before the first rehearsal."""
        running = self._running
        if running is not None and running.poll() is not None:
            self._note_the_end(running)
        if self._running is not None and self._folder is not None:
            # Not listening yet or already ending: return the last known state.
            with contextlib.suppress(Unavailable):
                self._last = send_request(self._folder / _SOCKET, GetState())
        return self._last

    def ask(self, request: Request) -> RehearsalState:
        """Send a request. Raises Refused if no rehearsal is running, Unavailable if it does not respond."""
        if self._running is None or self._folder is None:
            raise Refused(RehearsalReason.NONE_RUNS)
        self._last = send_request(self._folder / _SOCKET, request)
        return self._last

    def end(self) -> None:
        """End the rehearsal and wait until it is cleaned up. Its final state is kept until the next one."""
        running, folder = self._running, self._folder
        if running is None or folder is None:
            return
        try:
            send_request(folder / _SOCKET, End())
        except Unavailable:
            running.terminate()
        for harder in (running.terminate, running.kill):
            try:
                running.wait(_GRACE_S)
                break
            except subprocess.TimeoutExpired:
                # The program ends its child processes only if it shuts down cleanly.
                harder()
        self._note_the_end(running)

    def _note_the_end(self, running: subprocess.Popen[bytes]) -> None:
        """Read the final state and remove the folder; do nothing if another judge already has."""
        with self._beginning_or_over:
            if self._running is running and self._folder is not None:
                status = running.wait()
                try:
                    debrief = (self._folder / _DEBRIEF).read_bytes()
                    self._last = msgspec.json.decode(debrief, type=RehearsalState)
                except (OSError, msgspec.DecodeError):
                    log = (self._folder / "log").read_text(encoding="utf-8", errors="replace")
                    why = f"status {status}: {log[-_LAST_WORDS:]}"
                    self._last = RehearsalState(RehearsalStage.FAILED, why=why)
                self._clear()

    def _clear(self) -> None:
        if self._running is not None and self._running.stdin is not None:
            self._running.stdin.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._running = self._folder = None
