"""A terminal's journal and uplink, on the one thread that owns both.

The app hands over bodies and never waits. The thread commits the bodies collected so far, tries the
routes to the station one after the other (the cable first), and sends news to the app.
"""

import selectors
import socket
import threading
from collections.abc import Callable
from pathlib import Path

import structlog

from base.clock import Clock, SystemClock
from base.errors import Unavailable
from sync.protocol.entry import content_of
from sync.protocol.journal import Journal
from sync.terminal.agent_contract import (
    AgentNews,
    AgentRequest,
    CardIsForeign,
    Packing,
    Resumed,
    UplinkContract,
)
from sync.terminal.agent_steps import AgentSteps, Packer
from sync.terminal.status import TerminalStatusWriter


class SynchronousAgent:
    """A read-only agent; see ``agent_contract.Agent``. ``journal`` was opened as on its original board.

    Only a person knows whether the card was moved or copied. Until somebody decides, nothing is written and
    nothing is sent, so that two cards cannot continue under one name.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._ours, self._theirs = socket.socketpair()
        self._theirs.send(b"!")
        self._ours.setblocking(False)
        self._news: tuple[AgentNews, ...] = (CardIsForeign(),)
        self._next_seq = 1

    def start(self) -> Resumed:
        """Read the journal and close it. Raises BadData or Unavailable for a bad one."""
        with self._journal as journal:
            own = tuple(bytes(content_of(raw).body) for raw in journal.own())
            orders = tuple(bytes(content_of(raw).body) for raw in journal.orders())
            received = journal.last_acknowledged()
        self._next_seq = len(own) + 1
        return Resumed(own, orders, received)

    def append(self, body: bytes) -> int:
        """Return the next number and store nothing: the steps are repeated when the terminal continues."""
        del body
        self._next_seq += 1
        return self._next_seq - 1

    def ask(self, request: AgentRequest) -> None:
        """Ignore the request, as no station is contacted."""

    def fileno(self) -> int:
        """Return a file descriptor that is readable until the only news has been read."""
        return self._ours.fileno()

    def news(self) -> tuple[AgentNews, ...]:
        """Return once the news that the card belongs to another board."""
        news, self._news = self._news, ()
        if news:
            self._ours.recv(1)
        return news

    def pack(self, wanted: Packing) -> None:
        """Raise Unavailable: the card belongs to another board and signs nothing until a judge decides."""
        raise Unavailable(f"the card is another board's; no parcel of {type(wanted).__name__} is made")

    def stop(self) -> None:
        for end in (self._ours, self._theirs):
            end.close()


_log = structlog.get_logger()


class JournalAgent:
    """The agent of one terminal; see ``agent_contract.Agent``.

    uplink: creates and keeps connections, or None for a terminal without a station.
    trusted_clock: returns whether the wall clock is trusted, for each entry.
    packer: seals parcels, or None without a key.
    status: the file that ``doctor`` reads, if any.
    """

    def __init__(
        self,
        journal: Journal,
        uplink: UplinkContract | None,
        *,
        trusted_clock: Callable[[], bool] = lambda: False,
        clock: Clock | None = None,
        packer: Packer | None = None,
        status: Path | None = None,
    ) -> None:
        self._stopping = False
        self._clock = clock or SystemClock()
        self._ours, self._theirs = socket.socketpair()
        self._wake_read, self._wake_write = socket.socketpair()
        for end in (self._ours, self._theirs, self._wake_read, self._wake_write):
            end.setblocking(False)
        self._steps = AgentSteps(
            journal,
            uplink,
            self._clock,
            trusted_clock=trusted_clock,
            on_news=lambda: _poke(self._theirs),
            packer=packer,
        )
        self._journal = journal
        self._status_file = status
        self._status: TerminalStatusWriter | None = None
        self._making: Callable[[], UplinkContract] | None = None
        if uplink is not None:
            self._tell_status_of(uplink)
        self._thread = threading.Thread(target=self._run, name="journal-and-uplink", daemon=True)

    def start(self) -> Resumed:
        """Open the journal and start the thread. Raises BadData or Unavailable for a bad journal."""
        resumed = self._steps.begin()
        self._thread.start()
        return resumed

    def connect(self, make: Callable[[], UplinkContract]) -> None:
        """Run ``make`` on the agent's thread and use the uplink that it returns, if there was none.

        Requests about the connection wait until then.
        """
        self._making = make
        self.wake()

    def append(self, body: bytes) -> int:
        """Hand over the next body and return its sequence number. Raises OurFault if it is too long."""
        seq = self._steps.append(body)
        _poke(self._wake_write)
        return seq

    def ask(self, request: AgentRequest) -> None:
        self._steps.ask(request)
        self.wake()

    def wake(self) -> None:
        """Wake the thread to check everything now. May be called from any thread."""
        _poke(self._wake_write)

    def fileno(self) -> int:
        return self._ours.fileno()

    def news(self) -> tuple[AgentNews, ...]:
        """Return the news since the last call."""
        _drain(self._ours)
        return self._steps.news()

    def pack(self, wanted: Packing) -> None:
        """Request a parcel of durable entries; ``Packed`` follows."""
        self._steps.pack(wanted)
        _poke(self._wake_write)

    def stop(self) -> None:
        """Save, close and stop the thread."""
        self._stopping = True
        _poke(self._wake_write)
        if self._thread.is_alive():
            self._thread.join()
        for end in (self._ours, self._theirs, self._wake_read, self._wake_write):
            end.close()

    def _run(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._wake_read, selectors.EVENT_READ)
            while not self._stopping:
                self._make()
                self._steps.step()
                if self._status is not None:
                    self._status.write()
                self._sleep(selector)
            self._steps.end()
            if self._status is not None:
                self._status.remove()

    def _make(self) -> None:
        making, self._making = self._making, None
        if making is None:
            return
        try:
            uplink = making()
            self._steps.connect(uplink)
        except Exception:  # noqa: BLE001
            # The table continues without a station; its entries wait in the journal.
            _log.exception("the connection to the station cannot be set up")
            return
        self._tell_status_of(uplink)

    def _tell_status_of(self, uplink: UplinkContract) -> None:
        if self._status_file is not None:
            self._status = TerminalStatusWriter(self._status_file, self._journal, uplink, self._clock)

    def _sleep(self, selector: selectors.BaseSelector) -> None:
        wire, wants_write = self._steps.wire()
        if wire >= 0:
            selector.register(wire, selectors.EVENT_READ | (selectors.EVENT_WRITE if wants_write else 0))
        try:
            selector.select(self._steps.sleep_s())
        finally:
            if wire >= 0:
                selector.unregister(wire)
        _drain(self._wake_read)


def _poke(end: socket.socket) -> None:
    try:
        end.send(b"!")
    except (BlockingIOError, OSError):
        return


def _drain(end: socket.socket) -> None:
    try:
        while end.recv(4096):
            pass
    except (BlockingIOError, OSError):
        return
