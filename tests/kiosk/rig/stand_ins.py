"""Stand-ins for a terminal's journal and for the store of the round's clock, without files."""

from kiosk.terminal.round_clock import ClockFile, SavedClock
from sync.terminal.agent_contract import AgentNews, AgentRequest, Packing, Resumed


class Drawer(ClockFile):
    """A store that outlives a terminal. Change ``boot`` to simulate another boot of the board."""

    def __init__(self) -> None:
        super().__init__(None, "boot 1")
        self.saved: SavedClock | None = None

    def read(self) -> SavedClock | None:
        return self.saved

    def keep(self, state: SavedClock | None) -> None:
        self.saved = state


class Paper:
    """A journal that keeps its entries and reports nothing."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.requests: list[AgentRequest] = []

    def start(self) -> Resumed:
        return Resumed((), (), 0)

    def append(self, body: bytes) -> int:
        self.bodies.append(body)
        return len(self.bodies)

    def ask(self, request: AgentRequest) -> None:
        self.requests.append(request)

    def fileno(self) -> int:
        return -1

    def news(self) -> tuple[AgentNews, ...]:
        return ()

    def pack(self, wanted: Packing) -> None:
        """Ignore the request, as no test here needs parcels."""

    def stop(self) -> None:
        pass
