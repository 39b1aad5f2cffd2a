"""A terminal's agent without a thread: the real steps and the real journal, run when the app looks."""

from base.clock import Clock
from kiosk.terminal.loop import Waker
from sync.protocol.journal import Journal
from sync.terminal.agent_contract import AgentNews, AgentRequest, Packing, Resumed, UplinkContract
from sync.terminal.agent_steps import AgentSteps, Packer


class InlineAgent:
    """An implementation of ``Agent`` without a thread.

    saves: False for a slow card, on which entries wait in memory.
    """

    def __init__(self, journal: Journal, carrier: UplinkContract, clock: Clock, packer: Packer) -> None:
        self.saves = True
        self._waker = Waker()
        self._journal = journal
        self._carrier = carrier
        self._steps = AgentSteps(
            journal, carrier, clock, trusted_clock=lambda: False, on_news=self._waker.wake, packer=packer
        )

    def start(self) -> Resumed:
        """Open the journal."""
        return self._steps.begin()

    def append(self, body: bytes) -> int:
        """Add an entry, which is saved when the app looks next."""
        return self._steps.append(body)

    def ask(self, request: AgentRequest) -> None:
        """Send a request about the connection."""
        self._steps.ask(request)

    def fileno(self) -> int:
        """Return a descriptor that is readable when there is news."""
        return self._waker.fileno()

    def news(self) -> tuple[AgentNews, ...]:
        """Save and send entries, and return the news."""
        self._waker.settle()
        if self.saves:
            self._steps.step()
        return self._steps.news()

    def pack(self, wanted: Packing) -> None:
        """Seal a parcel at the next look."""
        self._steps.pack(wanted)

    def stop(self) -> None:
        """Save everything and close the journal."""
        self._steps.end()
        self._waker.close()

    def lose_power(self) -> None:
        """Discard everything that isn't saved."""
        self._carrier.close()
        self._journal.close()
        self._waker.close()
