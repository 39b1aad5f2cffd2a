"""``python -m saloon.kiosk.rehearsal.units``: many whole terminals, each a process, started cheaply.

A terminal that is started by itself takes 75 MB, most of it the same in all: Python, pygame, SDL, the
rules, the words. This program loads all of it once and then forks: what no terminal changes is in
memory once. Each unit is the program ``saloon-terminal`` in a process of its own: it can be killed like
one whose power is cut, and nothing of it is simulated. See docs/development/decisions/0026.

It reads one order a line from its standard input, as JSON, and writes one line for each unit that ended.
When its input ends, it ends, and all units with it.
"""

import ctypes
import gc
import os
import selectors
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Final, assert_never

import msgspec

from saloon.kiosk.rehearsal.unit_orders import EndUnit, KillUnit, StartUnit, UnitEnded, UnitOrder

_PR_SET_PDEATHSIG: Final = 1
"""prctl(2): the signal that a process gets when its parent dies."""
_orders = msgspec.json.Decoder(UnitOrder)


class Units:
    """The units that run. told: the file that reports ended units."""

    def __init__(self, told: int) -> None:
        self._told = told
        self._pids: dict[int, str] = {}

    def carry_out(self, order: UnitOrder) -> None:
        """Do as ordered; a unit that is not there cannot be ended, and is not."""
        match order:
            case StartUnit():
                self._start(order)
            case KillUnit():
                self._signal(order.name, signal.SIGKILL)
            case EndUnit():
                self._signal(order.name, signal.SIGTERM)
            case _:
                assert_never(order)

    def reap(self) -> None:
        """Report all units that ended."""
        while self._pids:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            ended = UnitEnded(self._pids.pop(pid), os.waitstatus_to_exitcode(status))
            os.write(self._told, msgspec.json.encode(ended) + b"\n")

    def end_all(self) -> None:
        """End all units, so that none outlives this program."""
        for pid in self._pids:
            os.kill(pid, signal.SIGTERM)
        while self._pids:
            pid, _ = os.wait()
            self._pids.pop(pid)

    def _signal(self, name: str, number: signal.Signals) -> None:
        for pid, running in self._pids.items():
            if running == name:
                os.kill(pid, number)

    def _start(self, order: StartUnit) -> None:
        pid = os.fork()
        if pid:
            self._pids[pid] = order.name
            return
        status = 1
        try:
            status = _be_a_terminal(order)
        finally:
            os._exit(status)


def _be_a_terminal(order: StartUnit) -> int:
    """Run the program in the new process, with its output in its log."""
    from saloon.kiosk.cli.main import main

    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    signal.set_wakeup_fd(-1)
    # Also where that program is killed, and can end nobody any more.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    log = os.open(Path(order.log), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    silence = os.open(os.devnull, os.O_RDONLY)
    for ours, theirs in ((silence, 0), (log, 1), (log, 2)):
        os.dup2(ours, theirs)
    os.closerange(3, _highest_file())
    try:
        main(list(order.arguments), standalone_mode=False)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    except BaseException as error:  # noqa: BLE001 (a forked child must never return into its parent's code)
        print(f"saloon-terminal: {error!r}", file=sys.stderr)
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def _highest_file() -> int:
    return max((int(name) for name in os.listdir("/proc/self/fd")), default=3) + 1  # noqa: PTH208


def _load() -> None:
    """Load everything that each terminal would load for itself."""
    import gpiozero.pins.mock
    import pygame

    import saloon.hardware.panel
    import saloon.kiosk.cli.main
    import saloon.kiosk.terminal.composition
    import saloon.kiosk.terminal.link.station_connection
    import saloon.kiosk.terminal.logs
    import saloon.kiosk.virtual.answers

    del gpiozero, pygame, saloon  # loaded is all they need to be
    gc.collect()
    # The collector would write to every object, and so copy every page.
    gc.freeze()


def main() -> None:
    """Serve orders until the input ends."""
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    _load()
    read, write = os.pipe()
    os.set_blocking(write, False)
    os.set_blocking(read, False)
    signal.set_wakeup_fd(write)
    signal.signal(signal.SIGCHLD, _nothing)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    units = Units(sys.stdout.fileno())
    signal.signal(signal.SIGTERM, _leave)
    waiting = b""
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(0, selectors.EVENT_READ)
            selector.register(read, selectors.EVENT_READ)
            while True:
                for key, _ in selector.select():
                    if key.fd == read:
                        os.read(read, 4096)
                        continue
                    data = os.read(0, 65_536)
                    if not data:
                        return
                    *lines, waiting = (waiting + data).split(b"\n")
                    for line in lines:
                        units.carry_out(_orders.decode(line))
                units.reap()
    finally:
        units.end_all()


def _nothing(_number: int, _frame: FrameType | None) -> None:
    """Do nothing: the signal's byte in the pipe wakes the loop."""


def _leave(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)


if __name__ == "__main__":
    main()
