"""The seam between a terminal's agent and what keeps its connections."""

from typing import Protocol

from saloon.core.errors import SaloonError
from saloon.sync.agent_contract import AgentNews, AgentRequest, LinkReport


class Carrier(Protocol):
    """An ``Uplink`` to a station that is known, or an ``Entrance`` of a terminal that may yet be taken in.

    Owned by the agent's thread; ``turn`` raises what ``failed`` must be told.
    """

    @property
    def received(self) -> int:
        """The last own entry known to be on the judge's disk."""

    @property
    def report(self) -> LinkReport:
        """How the terminal is connected."""

    def fileno(self) -> int:
        """What to wait on; -1 for nothing."""

    def wants_write(self) -> bool:
        """Whether to wait for writability as well."""

    def seconds_to_deadline(self, now_ms: int) -> float:
        """How long the owner may sleep."""

    def resume(self, orders: int) -> None:
        """The journal is open; so many orders of it are known to the app. Raises Unavailable."""

    def appended(self) -> None:
        """The journal has grown durably."""

    def asked(self, request: AgentRequest, now_ms: int) -> tuple[AgentNews, ...]:
        """Carry out what was asked about the way to the station. Raises Unavailable."""

    def turn(self, now_ms: int) -> tuple[AgentNews, ...]:
        """Go on."""

    def failed(self, error: SaloonError, now_ms: int) -> tuple[AgentNews, ...]:
        """A turn raised this."""

    def close(self) -> None:
        """Let go of the wire."""
