"""A terminal in a directory that is not enrolled yet, to test enrolment."""

from pathlib import Path

from sync.enrolment.provisioning import Provisioning
from sync.protocol.entry import StreamId, orders_of
from sync.protocol.journal import Journal
from sync.terminal.agent import JournalAgent
from sync.terminal.agent_contract import AgentNews, EnrolmentChanged, EnrolmentStage, TryJoinCode
from sync.terminal.routes import RouteSource, StationRoute
from sync.terminal.station_record import StationRecord
from sync.terminal.terminal_connector import CableAndNetwork, TerminalConnector
from sync.terminal.uplink import Credentials, Uplink
from sync.tls.certificates import fingerprint_of_pem, own_identity
from tests.rigs.ends import CODE, Terminal, dial


class Newcomer(Terminal):
    """A terminal that keeps its identity and memory when it is started again on the same directory.

    ``cables`` lists its devices by name.
    """

    def __init__(self, directory: Path, cables: tuple[tuple[str, StationRoute], ...] = ()) -> None:
        self.identity = own_identity(directory, "terminal")
        self.id = fingerprint_of_pem(self.identity[1].read_text(), "own")
        self.stream = StreamId(f"table/{self.id}")
        self.journal = Journal(directory / "journal.db", self.stream, orders_of(self.id), "board-1")
        self.belonging = StationRecord(directory)
        self._cables = cables
        roads = CableAndNetwork(cables, lambda address: dial(address, RouteSource.FILE))
        known = self.belonging.load()
        self.entrance = TerminalConnector(self.identity[1], self.belonging, roads, self._uplink_to, known)
        self.agent = JournalAgent(self.journal, self.entrance)
        self.seen: list[AgentNews] = []

    def wait_stage(self, stage: EnrolmentStage) -> EnrolmentChanged:
        change = self.wait_for(lambda news: isinstance(news, EnrolmentChanged) and news.stage is stage)
        assert isinstance(change, EnrolmentChanged)
        return change

    def join(self, address: str) -> None:
        """Type the code that the station shows. address: empty for the cable."""
        self.agent.ask(TryJoinCode(address, CODE))

    def _uplink_to(self, known: Provisioning) -> Uplink:
        credentials = Credentials(known.station.certificate, *self.identity, known.terminal.token)
        cables = tuple(way for device, way in self._cables if device == known.terminal.serial)
        ways = (*cables, *(dial(address, RouteSource.FILE) for address in known.station.addresses))
        return Uplink(self.journal, orders_of(self.id), ways, credentials, self.belonging.forget_token)
