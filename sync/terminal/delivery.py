"""The delivery of orders and link reports to the app, and the acknowledgement of its entries."""

import contextlib
from typing import Final

import msgspec

from base.errors import PeerFault, SaloonError
from sync.protocol.entry import Head, content_of
from sync.protocol.journal import Journal
from sync.protocol.session import StoreEntries
from sync.terminal.agent_contract import LinkReport, LinkReported, OrderArrived, Received

_EVERY_MS: Final = 5_000


class LinkReportFilter:
    """A filter that drops link reports without important changes, except one every few seconds.

    ``last`` is the report that the screen shows at first.
    """

    def __init__(self, last: LinkReport) -> None:
        self._last = last
        self._told_at_ms = 0

    def of(self, report: LinkReport, now_ms: int) -> tuple[LinkReported, ...]:
        """Return the report if it is due, else nothing."""
        last = self._last
        quiet = msgspec.structs.replace(
            report, tries=last.tries, heard_at_ms=last.heard_at_ms, figures=last.figures
        )
        is_soon = now_ms - self._told_at_ms < _EVERY_MS
        if report == last or (quiet == last and is_soon):
            return ()
        self._last, self._told_at_ms = report, now_ms
        return (LinkReported(report),)


_NOTE_EVERY: Final = 64
"""The number of acknowledged entries after which the journal stores the acknowledgement at once."""
_QUIET_MS: Final = 60_000
"""The pause after which the journal stores the last acknowledgement even if no entry follows."""


class OrderReceipts:
    """The orders delivered to the app, and the acknowledgements of a terminal's entries.

    Everything but ``note_at_once`` may raise Unavailable.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.delivered = 0
        self._noted = 0
        self.received = 0
        self.received_ms = 0

    def resume(self, orders: int) -> None:
        """Start after the journal was opened. ``orders`` is the number that the app has received."""
        self.delivered = orders
        self._noted = self.received = self._journal.last_acknowledged()

    def new_orders(self) -> tuple[OrderArrived, ...]:
        """Return the orders in the journal that the app hasn't received yet."""
        raws = self._journal.orders_behind(self.delivered)
        first = self.delivered + 1
        self.delivered += len(raws)
        return tuple(OrderArrived(first + i, bytes(content_of(raw).body)) for i, raw in enumerate(raws))

    def keep(self, store: StoreEntries) -> Head:
        """Store orders durably and return the head to acknowledge. Raises PeerFault or OrdersDisagree."""
        try:
            for raw in store.raws:
                _ = content_of(raw)
        except (msgspec.DecodeError, RecursionError) as error:
            raise PeerFault(f"order {store.first} or a later one is not an entry: {error}") from error
        return self._journal.keep_orders(store.epoch, store.first, store.raws, store.hashes)

    def acknowledge(self, seq: int, now_ms: int) -> Received:
        """Record an acknowledgement by the station, which the journal stores with the next entry."""
        self.received, self.received_ms = seq, now_ms
        self._journal.note_received_with_next(seq)
        return Received(seq)

    def next_deadline_ms(self) -> int | None:
        return None if self.received == self._noted else self.received_ms + _QUIET_MS

    def note(self, now_ms: int) -> None:
        """Store the last acknowledgement in the journal if it is worth a commit."""
        ahead = self.received - self._noted
        if ahead >= _NOTE_EVERY or ahead < 0 or (ahead and now_ms - self.received_ms >= _QUIET_MS):
            self._journal.note_received(self.received)
            self._noted = self.received

    def note_at_once(self) -> None:
        """Try to store the last acknowledgement in the journal, as the connection is lost."""
        if self.received > self._noted:
            with contextlib.suppress(SaloonError):
                self._journal.note_received(self.received)
                self._noted = self.received
