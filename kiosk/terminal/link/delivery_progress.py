"""The progress of this table's entries towards the station, and the state of the link."""

import structlog

from saloon.kiosk.view.table_view import Delivery
from saloon.sync.terminal.agent_contract import LinkChanged, LinkPhase, LinkReport

_log = structlog.get_logger()


class DeliveryProgress:
    """Counts entries: entered, saved, received by the station. link: its state."""

    def __init__(self, *, is_enrolled: bool) -> None:
        self.link = LinkPhase.SEARCHING if is_enrolled else LinkPhase.NOT_ENROLLED
        self.report = LinkReport(LinkPhase.SEARCHING)
        self.saved = self.received = 0
        self._entered = 0
        self._owes_since_ms: int | None = None

    def on_resumed(self, own: int, received: int) -> None:
        """Set the counts found in the journal, as numbers of entries."""
        self._entered = self.saved = own
        self.received = received

    def on_entered(self, seq: int) -> None:
        """Note that the entry of this number was handed to the journal."""
        self._entered = seq

    def on_saved(self, seq: int) -> None:
        """Note that entries are saved up to this number."""
        self.saved = max(self.saved, seq)

    def on_received(self, seq: int) -> None:
        """Note that the station has entries up to this number."""
        self.received = max(self.received, seq)

    def on_link_changed(self, news: LinkChanged) -> None:
        """Note a new phase of the link."""
        self.link = news.phase
        _log.info("link", phase=news.phase.value, detail=news.detail)

    def on_enrolled(self) -> None:
        """Note that the terminal has a station from now on."""
        self.link = LinkPhase.SEARCHING

    def advance(self, now_ms: int) -> None:
        """Note since when entries are missing: since all were last received, while some go and some come."""
        if self.received >= self._entered:
            self._owes_since_ms = None
        elif self._owes_since_ms is None:
            self._owes_since_ms = now_ms

    def view(self) -> Delivery:
        """Return the state of the delivery for the screen."""
        return Delivery(self._entered, self.saved, self.received, self.link, self._owes_since_ms)
