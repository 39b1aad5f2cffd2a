"""Stand-ins for what a terminal is connected to, without files: station, journal, and clock's store."""

import msgspec

from core.game.orders import SeatGame
from core.game.setup import SeatTable
from core.game.state.game import SeatedPlayer
from core.rule_set import RuleSet
from core.terms import GameId, PlayerId, RoundNo, TableNo, TournamentId
from kiosk.terminal.round_clock import ClockFile, SavedClock
from sync.terminal.agent_contract import AgentNews, AgentRequest, Packing, Resumed

wired = msgspec.msgpack.encode


def seat_order(game: str = "g1") -> SeatGame:
    """Return the order to seat a table of five."""
    seats = tuple(SeatedPlayer(PlayerId(f"p{n}"), f"Player {n}") for n in range(1, 6))
    table = SeatTable(
        GameId(game), TournamentId("t"), "Open", RuleSet("championship-2022"), RoundNo(1), TableNo(3), seats
    )
    return SeatGame(table, 90)


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
