"""Child processes that are started and ended together, their memory and their processor time."""

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Self

_GRACE_S = 5.0
_FIRST_PORT = 20_000
_SLICES = 40
_PORTS_OF_A_SLICE = 300
_PROC = Path("/proc")
_KB_IN_MB = 1024


class ProgramDied(RuntimeError):
    """A program ended unexpectedly. The message contains the end of its log."""


def free_port() -> int:
    """Return an unused TCP port of the loopback interface.

    It isn't an ephemeral port, which an outgoing connection could occupy while a killed program restarts.
    Processes that run at the same time get ports from different ranges.
    """
    first = _FIRST_PORT + os.getpid() % _SLICES * _PORTS_OF_A_SLICE
    while True:
        port = first + secrets.randbelow(_PORTS_OF_A_SLICE)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def program(name: str) -> str:
    """Return the path of an installed Saloon program, next to the Python interpreter in use."""
    return str(Path(sys.executable).parent / name)


class Processes:
    """Running programs by name, each with a log file. Leaving the ``with`` block ends all of them."""

    def __init__(self, logs: Path) -> None:
        self._logs = logs
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Self:
        self._logs.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(self, *_: object) -> None:
        self.end_all()

    def start(
        self, name: str, *arguments: str, extra: Mapping[str, str] | None = None, reads_orders: bool = False
    ) -> None:
        """Start a program in a new session, so that Ctrl-C doesn't reach it.

        extra: environment variables to add.
        reads_orders: whether to keep its standard input open for ``tell``.
        """
        with (self._logs / f"{name}.log").open("ab") as log:
            self._running[name] = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE if reads_orders else subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(extra or {})},
                start_new_session=True,
            )

    def tell(self, name: str, line: bytes) -> None:
        """Write a line to a program's standard input. Raises ProgramDied if the program has ended."""
        orders = self._running[name].stdin
        try:
            if orders is not None:
                orders.write(line)
                orders.flush()
        except BrokenPipeError as error:
            raise ProgramDied(f"{name} ended:\n{self.last_words(name)}") from error

    def signal(self, name: str, number: signal.Signals) -> None:
        os.kill(self._running[name].pid, number)

    def run(self, name: str, *arguments: str, text: str = "") -> str:
        """Run a program with this standard input, and return its output. Raises ProgramDied if it fails."""
        done = subprocess.run(arguments, capture_output=True, text=True, check=False, input=text)
        if done.returncode:
            raise ProgramDied(f"{name} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def check(self, restart: Callable[[str, int], bool] = lambda *_: False) -> None:
        """Raise ProgramDied if a program has ended, unless ``restart`` returns True.

        ``restart`` is called with the program's name and its exit status.
        """
        for name, process in tuple(self._running.items()):
            status = process.poll()
            if status is not None and not restart(name, status):
                raise ProgramDied(f"{name} ended with status {status}:\n{self.last_words(name)}")

    def last_words(self, name: str, lines: int = 15) -> str:
        log = self._logs / f"{name}.log"
        return "\n".join(log.read_text(errors="replace").splitlines()[-lines:]) if log.exists() else ""

    def end(self, name: str) -> None:
        _end(self._running.pop(name))

    def kill(self, name: str) -> None:
        """Kill a program immediately, as a power cut would."""
        process = self._running.pop(name)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def end_all(self) -> None:
        while self._running:
            _end(self._running.popitem()[1])

    def pid(self, name: str) -> int:
        return self._running[name].pid


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(_GRACE_S)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def poll_until_timeout(limit_s: float, pause_s: float = 0.1) -> Iterator[None]:
    """Yield repeatedly, with pauses, and raise TimeoutError at the time limit."""
    end = time.monotonic() + limit_s
    while time.monotonic() < end:
        yield
        time.sleep(pause_s)
    raise TimeoutError(f"timed out after {limit_s:g} s")


def megabytes_of_all(pid: int | None = None) -> int:
    """Return the memory of a process and its descendants in megabytes, counting shared pages once."""
    return sum(map(_proportional_kb, _with_children(os.getpid() if pid is None else pid))) // _KB_IN_MB


def processor_seconds_of_all(pid: int | None = None) -> float:
    """Return the processor seconds used by a process and its descendants, including ended children."""
    ticks = os.sysconf("SC_CLK_TCK")
    return sum(map(_ticks, _with_children(os.getpid() if pid is None else pid))) / ticks


def _with_children(pid: int) -> Iterator[int]:
    yield pid
    with contextlib.suppress(OSError):
        for task in (_PROC / str(pid) / "task").iterdir():
            with contextlib.suppress(OSError):
                for child in (task / "children").read_text().split():
                    yield from _with_children(int(child))


def _proportional_kb(pid: int) -> int:
    with contextlib.suppress(OSError):
        for line in (_PROC / str(pid) / "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0


def _ticks(pid: int) -> int:
    with contextlib.suppress(OSError):
        fields = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
        return sum(int(field) for field in fields[11:15])
    return 0
