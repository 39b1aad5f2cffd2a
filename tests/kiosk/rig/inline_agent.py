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
        return self._steps.begin()

    def append(self, body: bytes) -> int:
        return self._steps.append(body)

    def ask(self, request: AgentRequest) -> None:
        self._steps.ask(request)

    def fileno(self) -> int:
        return self._waker.fileno()

    def news(self) -> tuple[AgentNews, ...]:
        self._waker.clear()
        if self.saves:
            self._steps.step()
        return self._steps.news()

    def pack(self, wanted: Packing) -> None:
        self._steps.pack(wanted)

    def stop(self) -> None:
        self._steps.end()
        self._waker.close()

    def lose_power(self) -> None:
        self._carrier.close()
        self._journal.close()
        self._waker.close()
