"""The thread that owns a terminal's journal and its connection to the station.

The app hands over the bodies of entries and never waits. The thread commits those collected so far, tries
the routes to the station one after the other, the cable first, and sends news to the app.
"""

import selectors
import threading
from collections.abc import Callable
from pathlib import Path

import structlog

from base.clock import Clock, SystemClock
from base.errors import Unavailable
from base.wakeup import Wakeup
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

_log = structlog.get_logger()


class SynchronousAgent:
    """An agent that only reads the journal; see ``agent_contract.Agent``.

    It is for a card that was created on another board. Only a person knows whether the card was moved or
    copied. Until somebody decides, nothing is written and nothing is sent, so that two cards cannot continue
    under one name. ``journal`` was opened as on its original board.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._wakeup = Wakeup()
        self._wakeup.wake()
        self._news: tuple[AgentNews, ...] = (CardIsForeign(),)
        self._next_seq = 1

    def start(self) -> Resumed:
        """Read the journal and close it. Raises BadData if it is damaged, or Unavailable."""
        with self._journal as journal:
            own = tuple(bytes(content_of(raw).body) for raw in journal.own())
            orders = tuple(bytes(content_of(raw).body) for raw in journal.orders())
            received = journal.last_acknowledged()
        self._next_seq = len(own) + 1
        return Resumed(own, orders, received)

    def append(self, body: bytes) -> int:
        """Return the next number but store nothing, as the steps are repeated when the terminal continues."""
        del body
        self._next_seq += 1
        return self._next_seq - 1

    def ask(self, request: AgentRequest) -> None:
        """Ignore the request, as there is no connection to a station."""

    def fileno(self) -> int:
        return self._wakeup.fileno()

    def news(self) -> tuple[AgentNews, ...]:
        """Return that the card belongs to another board, on the first call only."""
        news, self._news = self._news, ()
        self._wakeup.clear()
        return news

    def pack(self, wanted: Packing) -> None:
        """Raise Unavailable, as nothing is signed until a judge has decided."""
        raise Unavailable(f"the card is another board's; no parcel of {type(wanted).__name__} is made")

    def stop(self) -> None:
        self._wakeup.close()


class JournalAgent(AgentSteps):
    """The agent of one terminal; see ``agent_contract.Agent``.

    uplink: None for a terminal that has no station yet.
    trusted_clock: returns whether the wall clock is trusted, for each entry.
    packer: seals parcels, or None if the terminal has no key.
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
        self._app_wakeup, self._wakeup = Wakeup(), Wakeup()
        super().__init__(
            journal,
            uplink,
            clock or SystemClock(),
            trusted_clock=trusted_clock,
            on_news=self._app_wakeup.wake,
            on_work=self.wake,
            packer=packer,
        )
        self._stopping = False
        self._status_file = status
        self._status: TerminalStatusWriter | None = None
        self._making: Callable[[], UplinkContract] | None = None
        if uplink is not None:
            self._write_status_of(uplink)
        self._thread = threading.Thread(target=self._run, name="journal-and-uplink", daemon=True)

    def start(self) -> Resumed:
        """Open the journal and start the thread. Raises BadData if the journal is damaged, or Unavailable."""
        resumed = self.begin()
        self._thread.start()
        return resumed

    def connect(self, make: Callable[[], UplinkContract]) -> None:
        """Create the uplink on the agent's thread. Requests about the connection wait until then."""
        self._making = make
        self.wake()

    def wake(self) -> None:
        """Make the thread check for work now. May be called from any thread."""
        self._wakeup.wake()

    def fileno(self) -> int:
        return self._app_wakeup.fileno()

    def news(self) -> tuple[AgentNews, ...]:
        self._app_wakeup.clear()
        return super().news()

    def stop(self) -> None:
        """Implement ``Agent.stop``."""
        self._stopping = True
        self.wake()
        if self._thread.is_alive():
            self._thread.join()
        self._app_wakeup.close()
        self._wakeup.close()

    def _run(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._wakeup, selectors.EVENT_READ)
            while not self._stopping:
                self._make()
                self.step()
                if self._status is not None:
                    self._status.write()
                self._sleep(selector)
            self.end()
            if self._status is not None:
                self._status.remove()

    def _make(self) -> None:
        making, self._making = self._making, None
        if making is None:
            return
        try:
            uplink = making()
            self.use_uplink(uplink)
        except Exception:  # noqa: BLE001
            # The table continues without a station; its entries wait in the journal.
            _log.exception("the connection to the station cannot be set up")
            return
        self._write_status_of(uplink)

    def _write_status_of(self, uplink: UplinkContract) -> None:
        if self._status_file is not None:
            self._status = TerminalStatusWriter(self._status_file, self._journal, uplink, self._clock)

    def _sleep(self, selector: selectors.BaseSelector) -> None:
        wire, wants_write = self.wire()
        if wire >= 0:
            selector.register(wire, selectors.EVENT_READ | (selectors.EVENT_WRITE if wants_write else 0))
        try:
            selector.select(self.sleep_s())
        finally:
            if wire >= 0:
                selector.unregister(wire)
        self._wakeup.clear()
