"""Makes all parts of a terminal once, joins them, runs the loop, and lets go of them in order."""

import contextlib
import hashlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import structlog

from saloon.core.errors import BadData, SaloonError, Unavailable
from saloon.hardware.panel import panel_on
from saloon.hardware.pins import PinDriver
from saloon.hardware.supervisor import Supervisor
from saloon.hardware.wiring import WiringFault, own_model, usual_panel, wiring_named
from saloon.kiosk.app.appearance import Appearance, appearance_of
from saloon.kiosk.app.cables import by_pair
from saloon.kiosk.app.card_decision import (
    ask_to_begin_anew,
    ask_to_go_on_here,
    begin_anew_if_asked,
    goes_on_here,
    gone_on_here,
)
from saloon.kiosk.app.choices import Choices
from saloon.kiosk.app.clock_file import ClockFile
from saloon.kiosk.app.enrolling import Enrolling, problem_of
from saloon.kiosk.app.first_light import open_screen, tell_start_trouble
from saloon.kiosk.app.identity import identity_in
from saloon.kiosk.app.loop import Display, Loop, Waker, monotonic_ms
from saloon.kiosk.app.pin_slate import SlateFile
from saloon.kiosk.app.power_off import power_off
from saloon.kiosk.app.preference_file import PreferenceFile
from saloon.kiosk.app.stick import Stick
from saloon.kiosk.app.terminal import Terminal
from saloon.kiosk.intents import BeginAnew, CardDecision
from saloon.kiosk.screen import TableScreen, code_of
from saloon.kiosk.table_view import FileProblem
from saloon.kiosk.virtual.door import Door
from saloon.sync.agent import JournalAgent
from saloon.sync.agent_contract import Agent, Resumed
from saloon.sync.belonging import Belonging
from saloon.sync.entrance import Entrance, Roads
from saloon.sync.entry import StreamId, TerminalId, orders_of
from saloon.sync.held_agent import HeldAgent
from saloon.sync.journal import Journal, OtherBoard
from saloon.sync.packing import Packer
from saloon.sync.parcel import signer
from saloon.sync.ports.hall import HallEar
from saloon.sync.ports.link_port import LinkPort
from saloon.sync.ports.serial import BAUD, SerialPort
from saloon.sync.ports.stream_port import PlainStream
from saloon.sync.ports.tcp import TcpPort
from saloon.sync.provisioning import Provisioning
from saloon.sync.search import Network
from saloon.sync.station_address import host_and_port
from saloon.sync.station_clock import StationClock
from saloon.sync.status import status_file
from saloon.sync.trust import fingerprint_of_pem
from saloon.sync.update.fetcher import Fetcher
from saloon.sync.update.place import Place
from saloon.sync.uplink import Credentials, Uplink
from saloon.sync.ways import Source, Way

_log = structlog.get_logger()
_BOARD_FILES = (Path("/sys/firmware/devicetree/base/serial-number"), Path("/etc/machine-id"))


class Settings(msgspec.Struct, frozen=True):
    """What the command line said. size: of the picture as people see it, in pixels. inches: its diagonal.

    size, quarter_turns, inches: None where it said nothing; language: empty likewise.
    stick: where the system mounts a USB stick.
    sets_clock: whether this machine's wall clock follows the station's.
    boot_files: provisioning files on the card, which are moved away from there; the last one counts.
    system_root: of the image's files.
    """

    data: Path
    provisioning: Path | None
    virtual: int | None
    size: tuple[int, int] | None
    quarter_turns: int | None
    language: str
    panel: str
    pins: str
    serial: str
    stations: tuple[str, ...]
    stick: Path
    bus: str = ""
    bus_rts: bool = False
    boot_files: tuple[Path, ...] = ()
    is_rehearsal: bool = False
    sets_clock: bool = False
    inches: float | None = None
    system_root: Path = Path("/")


def run(settings: Settings) -> None:
    """Run a terminal until it is told to end. Raises BadData, Unavailable, or what the panel raises.

    What stops the start is shown on the screen first, if there is one that people look at.
    """
    with contextlib.ExitStack() as parts:
        _on_end(sys.exit)
        looks = _looks(settings)
        screen, display = open_screen(
            parts,
            settings.size,
            looks.quarter_turns,
            is_virtual=settings.virtual is not None,
            inches=looks.inches,
        )
        supervisor = Supervisor(os.environ)
        try:
            loop, waker = joined(settings, looks, parts, screen, display)
        except Exception as error:
            expected = isinstance(error, SaloonError | OSError | WiringFault)
            _log.error("the terminal cannot start", code=code_of(error), exc_info=not expected)
            if settings.virtual is None:
                tell_start_trouble(
                    screen,
                    display,
                    error,
                    language=looks.language,
                    supervisor=supervisor,
                    clock_ms=monotonic_ms,
                )
            raise
        _on_end(loop.stop)
        # Nobody at a table may end a game: not by a line that hangs up, nor by a key that bids wait.
        for ignored in (signal.SIGHUP, signal.SIGTSTP):
            signal.signal(ignored, signal.SIG_IGN)
        loop.run(waker, supervisor)


def _looks(settings: Settings) -> Appearance:
    return appearance_of(
        settings.data,
        settings.boot_files if settings.provisioning is None else (settings.provisioning,),
        language=settings.language,
        quarter_turns=settings.quarter_turns,
        inches=settings.inches,
    )


def _on_end(end: Callable[[], None]) -> None:
    """What the system's word, or a key of an engineer, does. Nothing else ends a terminal."""
    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, lambda *_: end())


def joined(
    settings: Settings,
    looks: Appearance,
    parts: contextlib.ExitStack,
    screen: TableScreen,
    display: Display,
) -> tuple[Loop, Waker]:
    """All parts behind the screen, joined by the loop. Raises what ``run`` does."""
    waker = Waker()

    def card_decided(decision: CardDecision) -> None:
        if isinstance(decision, BeginAnew):
            ask_to_begin_anew(settings.data)
        else:
            ask_to_go_on_here(settings.data)
        loop.stop()

    parts.callback(waker.close)
    composed, agent, held = _started(settings, parts)
    parts.callback(agent.stop)
    wiring = wiring_named(settings.panel or composed.panel or usual_panel(settings.pins, own_model()))
    panel = panel_on(PinDriver(settings.pins), wiring, monotonic_ms)
    parts.callback(panel.close)
    clock_file = ClockFile(settings.data)
    parts.callback(clock_file.close)
    preference_file = PreferenceFile(settings.data)
    parts.callback(preference_file.close)
    terminal = Terminal(
        agent,
        panel,
        choices=Choices(looks.language, preference_file.read(), preference_file.keep),
        is_enrolled=composed.is_enrolled,
        wake=waker.wake,
        stick=Stick(settings.stick),
        card_decided=card_decided,
    )
    terminal.update_at(place_of(settings.system_root))
    parts.callback(terminal.close)
    terminal.keep_clock(clock_file)
    terminal.keep_pins(SlateFile(settings.data))
    if settings.is_rehearsal:
        terminal.rehearse()
    terminal.may_enrol(composed.enrolling)
    terminal.may_shut_down(power_off)
    terminal.resume(held)
    loop = Loop(terminal, screen, agent, panel, display, clock_ms=monotonic_ms)
    if settings.virtual is not None:
        door = Door(settings.virtual)
        parts.callback(door.close)
        loop.open_door(door, quarter_turns=looks.quarter_turns)
        _log.info("virtual terminal", address=f"http://127.0.0.1:{door.port}")
    waker.heed_signals()
    return loop, waker


class _Composed(msgspec.Struct, frozen=True):
    """agent: with its journal. journal_of: the journal as a board would open it, by the board's name.

    enrolling: of a terminal that has no station yet, or may lose it. panel: that the provisioning names.
    """

    agent: JournalAgent
    journal_of: Callable[[str], Journal]
    is_enrolled: bool
    enrolling: Enrolling
    panel: str


def _started(settings: Settings, parts: contextlib.ExitStack) -> tuple[_Composed, Agent, Resumed]:
    """The parts, the agent at work, and what its journal held.

    For a card of another board an agent that only shows it.
    """
    composed = _agent(settings, parts)
    try:
        held = composed.agent.start()
    except OtherBoard as error:
        _log.error("the card of another board", problem=str(error))
        composed.agent.stop()
        shown = HeldAgent(composed.journal_of(error.board))
        held = shown.start()
        if held.own or held.orders:
            return composed, shown, held
        # The copy of a card that was never used: nothing can be lost, and it needs a key of its own.
        shown.stop()
        ask_to_begin_anew(settings.data)
        return _started(settings, parts)
    except BaseException:
        composed.agent.stop()
        raise
    gone_on_here(settings.data)
    return composed, composed.agent, held


def _agent(settings: Settings, parts: contextlib.ExitStack) -> _Composed:
    try:
        return _composed_agent(settings, parts)
    except OSError as error:
        if isinstance(error, Unavailable):
            raise
        raise Unavailable(f"{error.filename or settings.data}: {error.strerror or error}") from error


def _composed_agent(settings: Settings, parts: contextlib.ExitStack) -> _Composed:
    data = settings.data
    begin_anew_if_asked(data)
    identity = identity_in(data)
    terminal = fingerprint_of_pem(identity[1].read_text(encoding="ascii"), str(identity[1]))
    stream, orders = StreamId(f"table/{terminal}"), orders_of(terminal)

    def journal_of(board: str, *, adopts: bool = False) -> Journal:
        return Journal(data / "journal.db", stream, orders, board, adopts=adopts)

    journal = journal_of(board_name(), adopts=goes_on_here(data))

    def sign(content: bytes) -> bytes:
        return signer(identity[0].read_bytes(), str(identity[0]))(content)

    packer = Packer(terminal, sign)
    belonging = Belonging(data)
    station, file_problem = _station(settings, belonging)
    cables = _Cables()
    ears = _Ears()
    parts.callback(ears.stop)

    fetcher = Fetcher(place_of(settings.system_root))
    clock = StationClock() if settings.sets_clock else None

    def uplink_to(known: Provisioning) -> Uplink:
        credentials = Credentials(known.station.certificate, *identity, known.terminal.token)
        network = Network(_by_network, ears.for_station(known.station.certificate))
        ways = (*_pairs(settings, known, terminal), *_ways(settings, known, cables))
        uplink = Uplink(journal, orders, ways, credentials, belonging.enrolled, network=network)
        uplink.fetch_with(fetcher)
        if clock is not None:
            uplink.tell_time_to(clock.heard)
        return uplink

    pair = ((settings.bus, by_pair(settings.bus, terminal, rts=settings.bus_rts)),) if settings.bus else ()
    roads = Roads(
        (*(((settings.serial, cables.way(settings.serial)),) if settings.serial else ()), *pair),
        lambda address: _by_network(address, Source.TYPED),
    )
    entrance = Entrance(identity[1], belonging, roads, uplink_to, station)
    addresses = (*settings.stations, *(station.station.addresses if station is not None else ()))
    believed = _never if clock is None else clock.is_believed
    agent = JournalAgent(journal, entrance, status=status_file(data), packer=packer, trusted_clock=believed)
    panel = "" if station is None else station.terminal.panel
    return _Composed(agent, journal_of, station is not None, Enrolling(addresses, file_problem), panel)


def _never() -> bool:
    return False


def _station(settings: Settings, belonging: Belonging) -> tuple[Provisioning | None, FileProblem | None]:
    """The station that this terminal belongs to, and what is wrong with a boot file.

    A file of the command line that is wrong or missing ends the program; one on the card is told
    on the screen, to those who stand before it.
    """
    if settings.provisioning is not None:
        if not settings.provisioning.exists():
            known = belonging.known()
            if known is None:
                raise BadData(str(settings.provisioning), "there is no such provisioning file")
            return known, None
        return belonging.take_over(settings.provisioning, moves=False), None
    problem: FileProblem | None = None
    for file in settings.boot_files:
        try:
            belonging.take_over(file, moves=True)
        except (BadData, Unavailable) as error:
            _log.error("provisioning file", problem=str(error))
            problem = problem_of(error)
    try:
        return belonging.known(), problem
    except (BadData, Unavailable) as error:
        _log.error("what was known of the station", problem=str(error))
        return None, problem or problem_of(error)


class _Cables:
    """Ways by cable, one port for each device, whoever uses it."""

    def __init__(self) -> None:
        self._ports: dict[str, LinkPort] = {}

    def way(self, device: str) -> Way:
        """The way by a serial device."""
        port = self._ports.get(device)
        if port is None:
            port = self._ports[device] = LinkPort(SerialPort(device), monotonic_ms, baud=BAUD)
        return Way(f"serial {device}", lambda: port, Source.CABLE)


class _Ears:
    """What listens in the hall for the station that this terminal belongs to; to one at a time."""

    def __init__(self) -> None:
        self._ear: HallEar | None = None

    def for_station(self, certificate: str) -> HallEar:
        """Listen for the station with this certificate."""
        self.stop()
        self._ear = HallEar(fingerprint_of_pem(certificate, "[station] certificate"))
        self._ear.start()
        return self._ear

    def stop(self) -> None:
        """Listen no more."""
        if self._ear is not None:
            self._ear.stop()
            self._ear = None


def _pairs(settings: Settings, station: Provisioning, terminal: TerminalId) -> tuple[Way, ...]:
    """The pair of wires that the terminal hangs on with others, if it does."""
    part = station.terminal
    device = settings.bus or (part.serial if part.bus else "")
    return (by_pair(device, terminal, rts=settings.bus_rts or part.rts),) if device else ()


def _ways(settings: Settings, station: Provisioning, cables: _Cables) -> tuple[Way, ...]:
    own = "" if station.terminal.bus else station.terminal.serial
    devices = dict.fromkeys(device for device in (settings.serial, own) if device)
    addresses = dict.fromkeys((*settings.stations, *station.station.addresses))
    return (*map(cables.way, devices), *(_by_network(address, Source.FILE) for address in addresses))


def _by_network(address: str, source: Source) -> Way:
    host, port = host_and_port(address, "station address")
    return Way(f"tcp {address}", lambda: PlainStream(TcpPort(host, port)), source)


def place_of(root: Path) -> Place:
    """Where this image keeps its updates; somebody watches its runtime folder if the system started us."""
    folder = os.environ.get("RUNTIME_DIRECTORY", "")
    return Place(root, Path(folder) if folder else None)


def board_name() -> str:
    """What tells this board from others: the first name found, hashed so that it can be logged."""
    for file in _BOARD_FILES:
        with contextlib.suppress(OSError):
            name = file.read_bytes().strip(b"\0\n ")
            if name:
                return hashlib.sha256(name).hexdigest()[:16]
    return "unnamed"
