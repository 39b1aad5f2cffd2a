"""The interface between a terminal's agent and its connections."""

from typing import Protocol

from base.errors import SaloonError
from sync.terminal.agent_contract import AgentNews, AgentRequest, LinkReport


class UplinkContract(Protocol):
    """An ``Uplink`` to a known station, or the ``TerminalConnector`` of a terminal that can also enrol.

    Owned by the agent's thread; pass any error raised by ``step`` to ``on_failed``.
    """

    @property
    def received(self) -> int:
        """The last of the terminal's entries known to be stored at the station."""

    @property
    def report(self) -> LinkReport:
        """The report on the terminal's connection."""

    def fileno(self) -> int:
        """Return the descriptor to wait on, or -1 for none."""

    def wants_write(self) -> bool:
        """Return whether to wait for writability as well."""

    def seconds_to_deadline(self, now_ms: int) -> float:
        """Return how long the owner may sleep, in seconds."""

    def resume(self, orders: int) -> None:
        """Start with an open journal. ``orders`` is the number of its orders that the app knows.

        Raises Unavailable.
        """

    def on_appended(self) -> None:
        """Handle new durable entries in the journal."""

    def handle_request(self, request: AgentRequest, now_ms: int) -> tuple[AgentNews, ...]:
        """Carry out a request about the connection to the station. Raises Unavailable."""

    def step(self, now_ms: int) -> tuple[AgentNews, ...]:
        """Do the next piece of work and return the resulting news."""

    def on_failed(self, error: SaloonError, now_ms: int) -> tuple[AgentNews, ...]:
        """Handle an error that ``step`` raised."""

    def close(self) -> None:
        """Release the wire."""
