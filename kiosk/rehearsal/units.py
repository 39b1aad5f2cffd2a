"""``python -m kiosk.rehearsal.units``: many real terminals, forked from one process to save memory.

A terminal started on its own takes 75 MB, most of it the same for all: Python, pygame, SDL, the rules and the
texts. This program loads all of it once and then forks, so that the terminals share the memory that none of
them changes. Each unit is the real program ``saloon-terminal`` in its own process, and can be killed as if by
a power cut. See docs/development/decisions/0026.

It reads one order per line from its standard input, as JSON, and writes one line for each unit that ended.
When its input ends, it ends all units and exits.
"""

import ctypes
import gc
import os
import selectors
import signal
import sys
from pathlib import Path
from typing import Final, assert_never

import msgspec

from kiosk.rehearsal.unit_orders import EndUnit, KillUnit, StartUnit, UnitEnded, UnitOrder

_PR_SET_PDEATHSIG: Final = 1
"""The option of prctl(2) for the signal that a process gets when its parent dies."""
_orders = msgspec.json.Decoder(UnitOrder)


class Units:
    """The running units. ``reports`` is the file descriptor for the reports of ended units."""

    def __init__(self, reports: int) -> None:
        self._reports = reports
        self._pids: dict[int, str] = {}

    def carry_out(self, order: UnitOrder) -> None:
        """Carry out an order. Orders to end a unit that isn't running are ignored."""
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
        """Report each unit that has ended since the previous call."""
        while self._pids:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            ended = UnitEnded(self._pids.pop(pid), os.waitstatus_to_exitcode(status))
            os.write(self._reports, msgspec.json.encode(ended) + b"\n")

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
    """Run ``saloon-terminal`` in a forked process, with its output appended to its log."""
    from kiosk.cli.main import main

    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    signal.set_wakeup_fd(-1)
    # Also end when the parent is killed and can't end its units any more.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    log = os.open(Path(order.log), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    silence = os.open(os.devnull, os.O_RDONLY)
    for ours, theirs in ((silence, 0), (log, 1), (log, 2)):
        os.dup2(ours, theirs)
    highest = max((int(name) for name in os.listdir("/proc/self/fd")), default=3)  # noqa: PTH208
    os.closerange(3, highest + 1)
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


def _load() -> None:
    import gpiozero.pins.mock
    import pygame

    import hardware.panel
    import kiosk.cli.logs
    import kiosk.cli.main
    import kiosk.terminal.startup.composition
    import kiosk.terminal.startup.station_connection
    import kiosk.virtual.answers

    del gpiozero, hardware, kiosk, pygame  # imported only so that the units share them
    gc.collect()
    # The garbage collector would write to every object, so that no memory page stays shared.
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
    # The end of a unit only has to wake this loop through the pipe.
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    units = Units(sys.stdout.fileno())
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
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


if __name__ == "__main__":
    main()
