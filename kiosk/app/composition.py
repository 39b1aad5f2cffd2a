"""Makes all parts of a terminal once, joins them, runs the loop, and lets go of them in order."""

import contextlib
import hashlib
import importlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
import structlog

from saloon.core.errors import BadData, SaloonError, Unavailable
from saloon.hardware.coming_panel import ComingPanel
from saloon.hardware.contract import Panel
from saloon.hardware.supervisor import Supervisor
from saloon.hardware.wiring_fault import WiringFault
from saloon.kiosk.app.appearance import Appearance, appearance_of
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
from saloon.kiosk.app.identity import Identity
from saloon.kiosk.app.loop import Display, Loop, Waker, monotonic_ms
from saloon.kiosk.app.pin_slate import SlateFile
from saloon.kiosk.app.power_off import power_off
from saloon.kiosk.app.preference_file import PreferenceFile
from saloon.kiosk.app.rest import Rest
from saloon.kiosk.app.settings import Settings
from saloon.kiosk.app.stick import Stick
from saloon.kiosk.app.terminal import Terminal
from saloon.kiosk.intents import BeginAnew, CardDecision
from saloon.kiosk.screen import TableScreen, code_of
from saloon.kiosk.table_view import FileProblem
from saloon.sync.agent import JournalAgent
from saloon.sync.agent_contract import Agent, Resumed
from saloon.sync.belonging import Belonging
from saloon.sync.carrier import Carrier
from saloon.sync.certificates import fingerprint_of_pem
from saloon.sync.entry import StreamId, orders_of
from saloon.sync.held_agent import HeldAgent
from saloon.sync.journal import Journal, OtherBoard
from saloon.sync.packing import Packer
from saloon.sync.parcel import signer
from saloon.sync.provisioning import Provisioning
from saloon.sync.station_address import host_and_port
from saloon.sync.station_clock import StationClock
from saloon.sync.status import status_file
from saloon.sync.update.place import Place

_log = structlog.get_logger()
_BOARD_FILES = (Path("/sys/firmware/devicetree/base/serial-number"), Path("/etc/machine-id"))


def run(settings: Settings, identity: Identity) -> None:
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
            within_s=settings.screen_within_s,
        )
        supervisor = Supervisor(os.environ)
        try:
            loop, waker, rest = joined(settings, identity, parts, looks=looks, screen=screen, display=display)
            _on_end(loop.stop)
            # Nobody at a table may end a game: not by a line that hangs up, nor by a key that bids wait.
            for ignored in (signal.SIGHUP, signal.SIGTSTP):
                signal.signal(ignored, signal.SIG_IGN)
            loop.run(waker, supervisor, shown=rest.begin)
            rest.check()
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
    identity: Identity,
    parts: contextlib.ExitStack,
    *,
    looks: Appearance,
    screen: TableScreen,
    display: Display,
) -> tuple[Loop, Waker, Rest]:
    """All parts behind the screen, joined by the loop, and what is loaded later. Raises what ``run`` does."""
    waker, stopping = Waker(), threading.Event()

    def cannot_go_on(error: Exception) -> None:
        rest.trouble = error
        loop.stop()

    def connect() -> None:
        if stopping.is_set():
            return
        # Here, as the agent's thread must go on saving.
        importlib.import_module("saloon.kiosk.app.reaching")
        if agent is composed.agent:
            composed.agent.connect(composed.way_to_station)

    def card_decided(decision: CardDecision) -> None:
        ask = ask_to_begin_anew if isinstance(decision, BeginAnew) else ask_to_go_on_here
        ask(settings.data)
        loop.stop()

    parts.callback(waker.close)
    composed, agent, held = _started(settings, identity, parts)
    parts.callback(agent.stop)
    panel = ComingPanel(partial(_panel, settings, composed.panel, stopping), cannot_go_on)
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
        from saloon.kiosk.virtual.door import Door

        door = Door(settings.virtual)
        parts.callback(door.close)
        loop.open_door(door, quarter_turns=looks.quarter_turns)
        _log.info("virtual terminal", address=f"http://127.0.0.1:{door.port}")
    waker.heed_signals()
    rest = Rest(panel, connect, has_door=settings.virtual is not None)
    parts.callback(rest.wait)
    parts.callback(stopping.set)
    return loop, waker, rest


def _panel(settings: Settings, provisioned: str, stopping: threading.Event) -> Panel:
    """The parts of the panel. provisioned: the name of the panel in the provisioning file."""
    from saloon.hardware.late_chips import looks_again
    from saloon.hardware.panel import panel_on
    from saloon.hardware.pins import PinDriver
    from saloon.hardware.wiring import own_model, usual_panel, wiring_named

    wiring = wiring_named(settings.panel or provisioned or usual_panel(settings.pins, own_model()))
    # A chip comes as late as the graphics card may.
    waits = looks_again(settings.screen_within_s, monotonic_ms, stopping)
    return panel_on(PinDriver(settings.pins), wiring, monotonic_ms, waits)


class _Composed(msgspec.Struct, frozen=True):
    """agent: with its journal. journal_of: the journal as a board would open it, by the board's name.

    way_to_station: makes what the agent keeps connections by.

    enrolling: of a terminal that has no station yet, or may lose it. panel: that the provisioning names.
    """

    agent: JournalAgent
    journal_of: Callable[[str], Journal]
    way_to_station: Callable[[], Carrier]
    is_enrolled: bool
    enrolling: Enrolling
    panel: str


def _started(
    settings: Settings, identity: Identity, parts: contextlib.ExitStack
) -> tuple[_Composed, Agent, Resumed]:
    """The parts, the agent at work, and what its journal held.

    For a card of another board an agent that only shows it.
    """
    composed = _agent(settings, identity, parts)
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
        return _started(settings, identity, parts)
    except BaseException:
        composed.agent.stop()
        raise
    gone_on_here(settings.data)
    return composed, composed.agent, held


def _agent(settings: Settings, identity: Identity, parts: contextlib.ExitStack) -> _Composed:
    try:
        return _composed_agent(settings, identity, parts)
    except OSError as error:
        if isinstance(error, Unavailable):
            raise
        raise Unavailable(f"{error.filename or settings.data}: {error.strerror or error}") from error


def _composed_agent(settings: Settings, identity: Identity, parts: contextlib.ExitStack) -> _Composed:
    data = settings.data
    begin_anew_if_asked(data)
    key, certificate = identity.files()
    terminal = fingerprint_of_pem(certificate.read_text(encoding="ascii"), str(certificate))
    stream, orders = StreamId(f"table/{terminal}"), orders_of(terminal)

    def journal_of(board: str, *, adopts: bool = False) -> Journal:
        return Journal(data / "journal.db", stream, orders, board, adopts=adopts)

    journal = journal_of(board_name(), adopts=goes_on_here(data))

    def sign(content: bytes) -> bytes:
        return signer(key.read_bytes(), str(key))(content)

    packer = Packer(terminal, sign)
    belonging = Belonging(data)
    station, file_problem = _station(settings, belonging)

    clock = StationClock() if settings.sets_clock else None
    for address in settings.stations:
        host_and_port(address, "--station")
    late = contextlib.ExitStack()
    parts.callback(late.close)

    def way_to_station() -> Carrier:
        from saloon.kiosk.app.reaching import Ground, entrance_of

        place = place_of(settings.system_root)
        ground = Ground(terminal, (key, certificate), journal, belonging, station, place, clock)
        return entrance_of(settings, ground, late)

    addresses = (*settings.stations, *(station.station.addresses if station is not None else ()))
    believed = _never if clock is None else clock.is_believed
    agent = JournalAgent(journal, None, status=status_file(data), packer=packer, trusted_clock=believed)
    panel = "" if station is None else station.terminal.panel
    enrolling = Enrolling(addresses, file_problem)
    return _Composed(agent, journal_of, way_to_station, station is not None, enrolling, panel)


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


def board_name() -> str:
    """What tells this board from others: the first name found, hashed so that it can be logged."""
    for file in _BOARD_FILES:
        with contextlib.suppress(OSError):
            name = file.read_bytes().strip(b"\0\n ")
            if name:
                return hashlib.sha256(name).hexdigest()[:16]
    return "unnamed"


def place_of(root: Path) -> Place:
    """Where this image keeps its updates; somebody watches its runtime folder if the system started us."""
    folder = os.environ.get("RUNTIME_DIRECTORY", "")
    return Place(root, Path(folder) if folder else None)
