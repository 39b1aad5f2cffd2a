"""A terminal's agent without a thread: the real steps and the real journal, done when the app looks."""

from saloon.base.clock import Clock
from saloon.kiosk.terminal.loop import Waker
from saloon.sync.offline.packing import Packer
from saloon.sync.protocol.journal import Journal
from saloon.sync.terminal.agent_contract import AgentNews, AgentRequest, Packing, Resumed
from saloon.sync.terminal.agent_steps import AgentSteps
from saloon.sync.terminal.uplink_contract import UplinkContract


class InlineAgent:
    """See ``Agent``.

    saves: False for a disk that is busy: what is entered waits in memory, as on a slow card.
    """

    def __init__(self, journal: Journal, carrier: UplinkContract, clock: Clock, packer: Packer) -> None:
        self.saves = True
        self._waker = Waker()
        self._journal = journal
        self._carrier = carrier
        self._steps = AgentSteps(
            journal, carrier, clock, trusted_clock=lambda: False, told=self._waker.wake, packer=packer
        )

    def start(self) -> Resumed:
        """Open the journal."""
        return self._steps.begin()

    def append(self, body: bytes) -> int:
        """Hand over the next body; it is saved when the app looks next."""
        return self._steps.append(body)

    def ask(self, request: AgentRequest) -> None:
        """Ask for something about the way to the station."""
        self._steps.ask(request)

    def fileno(self) -> int:
        """Readable when there is news."""
        return self._waker.fileno()

    def news(self) -> tuple[AgentNews, ...]:
        """Save, carry, and what came of it."""
        self._waker.settle()
        if self.saves:
            self._steps.step()
        return self._steps.news()

    def pack(self, wanted: Packing) -> None:
        """Seal a parcel at the next look."""
        self._steps.pack(wanted)

    def stop(self) -> None:
        """Save and close, in order."""
        self._steps.end()
        self._waker.close()

    def lose_power(self) -> None:
        """What is saved stays on the disk; all else is gone."""
        self._carrier.close()
        self._journal.close()
        self._waker.close()
