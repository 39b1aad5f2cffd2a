"""The composition of a terminal: create and connect all parts, run the loop, release everything in order.

The first frame and the first touch don't wait for panel parts, other scenes and routes to the station
(decision 0020): a thread loads them while the loop runs.
"""

import contextlib
import gc
import importlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
import structlog

from base.clock import SystemClock
from base.errors import SaloonError
from hardware.contract import Panel, WiringFault
from hardware.pending_panel import PendingPanel
from hardware.supervisor import Supervisor
from kiosk.preferences import Choices, PreferenceFile
from kiosk.terminal.board_services import BoardServices
from kiosk.terminal.display.flow import load_scenes
from kiosk.terminal.display.screen import TableScreen, code_of
from kiosk.terminal.link.offline_export import UsbStick
from kiosk.terminal.link.update_progress import update_place
from kiosk.terminal.lock import LockFile
from kiosk.terminal.loop import Display, Loop, Waker
from kiosk.terminal.pin import FailedAttemptFile
from kiosk.terminal.round_clock import ClockFile
from kiosk.terminal.startup.agent import accept_board_change, request_card_reset, start_agent
from kiosk.terminal.startup.screen import open_screen, show_startup_error
from kiosk.terminal.startup.terminal_certificate import TerminalCertificate
from kiosk.terminal.startup_settings import StartupSettings
from kiosk.terminal.terminal import Terminal
from kiosk.view.intents import BeginAnew, CardDecision
from sync.terminal.station_record import StationRecord

_log = structlog.get_logger()
_USUAL_PRIORITY: Final = 0
_USUAL_LANGUAGE: Final = "en"
_QUARTER: Final = 90
REQUEST: Final = "power-off"
"""The file that asks the system to power off, as the terminal has no such privilege."""


class DeferredStartup:
    """A loader for everything that the first frame doesn't need, which runs on a thread.

    report: writes the first log lines, which loads the logging library.
    is_virtual: for a virtual terminal, whose page may need any part immediately.
    """

    def __init__(
        self,
        panel: PendingPanel,
        connect: Callable[[], None],
        *,
        is_virtual: bool,
        report: Callable[[], None] = lambda: None,
    ) -> None:
        self.trouble: Exception | None = None
        self._panel = panel
        self._connect = connect
        self._report = report
        self._is_virtual = is_virtual
        self._thread = threading.Thread(target=self._load, name="deferred startup", daemon=True)

    def begin(self) -> None:
        """Start loading at a lower priority, after the first frame."""
        _lower_priority()
        if self._is_virtual:
            self._panel.find()
        self._thread.start()

    def check(self) -> None:
        if self.trouble is not None:
            raise self.trouble

    def wait(self) -> None:
        if self._thread.is_alive():
            self._thread.join()

    def _load(self) -> None:
        self._panel.find()
        for load in (self._report, load_scenes, self._connect):
            try:
                load()
            except Exception:  # noqa: BLE001
                # The game continues: a scene is loaded again on demand, and unsent entries wait.
                _log.exception("deferred startup failed")
        # Exempt all current objects from garbage collection, so that it never delays a touch.
        gc.collect()
        gc.freeze()
        gc.enable()


def _lower_priority() -> None:
    """Lower the priority of all threads to normal; the system raised it for the start."""
    if os.getpriority(os.PRIO_PROCESS, 0) >= _USUAL_PRIORITY:
        return
    for thread in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, int(thread.name), _USUAL_PRIORITY)


class Appearance(msgspec.Struct, frozen=True):
    """The appearance of the screen. ``inches`` is the panel's diagonal, or None for 7."""

    language: str
    quarter_turns: int
    inches: float | None


def appearance_of(settings: StartupSettings) -> Appearance:
    """Return the appearance for this start; the command line comes before the provisioning file."""
    sources = settings.boot_files if settings.provisioning is None else (settings.provisioning,)
    provisioned = StationRecord(settings.data).settings_after_import(sources)
    turns = (provisioned.rotation or 0) // _QUARTER
    return Appearance(
        settings.language or provisioned.language or _USUAL_LANGUAGE,
        turns if settings.quarter_turns is None else settings.quarter_turns,
        provisioned.inches if settings.inches is None else settings.inches,
    )


def power_off(environment: Mapping[str, str] = os.environ) -> None:
    """Ask the system to power off. Raises OSError if the request can't be written or nothing handles it."""
    folder = environment.get("RUNTIME_DIRECTORY", "")
    if not folder:
        raise FileNotFoundError("not started by the system, which would have to switch the board off")
    (Path(folder) / REQUEST).touch()


def run(settings: StartupSettings, own_certificate: TerminalCertificate) -> bool:
    """Run a terminal until it gets a signal or the station restarts it, and return whether to restart.

    Raises BadData, Unavailable, or errors of the panel. An error at startup is shown on the screen first, if
    there is one.
    """
    with contextlib.ExitStack() as parts:
        _on_end(sys.exit)
        looks = appearance_of(settings)
        screen, display = open_screen(
            parts,
            settings.size,
            looks.quarter_turns,
            is_virtual=settings.virtual_place is not None,
            inches=looks.inches,
            within_s=settings.screen_within_s,
            # A phone's page would have to be sent each of their pictures.
            moves=settings.virtual_socket is None,
        )
        supervisor = Supervisor(os.environ)
        try:
            loop, waker, deferred = build_loop(
                settings, own_certificate, parts, looks=looks, screen=screen, display=display
            )
            _on_end(loop.stop)
            # Ignore signals by which people at the table could end a game: a hang-up or Ctrl-Z.
            for ignored in (signal.SIGHUP, signal.SIGTSTP):
                signal.signal(ignored, signal.SIG_IGN)
            if settings.virtual_socket is not None:
                _end_with_input()
            loop.run(waker, supervisor, on_first_frame=deferred.begin)
            deferred.check()
        except Exception as error:
            expected = isinstance(error, SaloonError | OSError | WiringFault)
            _log.error("the terminal cannot start", code=code_of(error), exc_info=not expected)
            if settings.virtual_place is None:
                show_startup_error(
                    screen,
                    display,
                    error,
                    language=looks.language,
                    supervisor=supervisor,
                    clock_ms=SystemClock().monotonic_ms,
                )
            raise
        return loop.is_restarting


def _on_end(end: Callable[[], None]) -> None:
    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, lambda *_: end())


def _end_with_input() -> None:
    """End when standard input is closed, as the parent process has gone."""

    def wait_for_end() -> None:
        with contextlib.suppress(OSError):
            while os.read(0, 4096):
                pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait_for_end, name="parent", daemon=True).start()


def build_loop(
    settings: StartupSettings,
    own_certificate: TerminalCertificate,
    parts: contextlib.ExitStack,
    *,
    looks: Appearance,
    screen: TableScreen,
    display: Display,
) -> tuple[Loop, Waker, DeferredStartup]:
    """Return the loop with all parts, its waker, and the deferred startup. Raises the errors of ``run``."""
    waker, stopping = Waker(), threading.Event()

    def on_panel_error(error: Exception) -> None:
        deferred.trouble = error
        loop.stop()

    def connect() -> None:
        if stopping.is_set():
            return
        # Import it on this thread, as the agent's must keep saving entries.
        importlib.import_module("kiosk.terminal.startup.station_connection")
        if agent is own.agent:
            own.agent.connect(own.open_uplink)

    def card_decided(decision: CardDecision) -> None:
        ask = request_card_reset if isinstance(decision, BeginAnew) else accept_board_change
        ask(settings.data)
        loop.stop()

    parts.callback(waker.close)
    own, agent, held = start_agent(settings, own_certificate, parts)
    parts.callback(agent.stop)
    panel = PendingPanel(partial(_panel, settings, own.panel, stopping), on_panel_error)
    parts.callback(panel.close)
    preference_file = PreferenceFile(settings.data)
    parts.callback(preference_file.close)
    terminal = Terminal(
        agent,
        panel,
        choices=Choices(looks.language, preference_file.read(), preference_file.keep),
        enrolling=own.enrolling,
        wake=waker.wake,
        board=_board(settings, card_decided, parts),
        is_rehearsal=settings.is_rehearsal,
    )
    parts.callback(terminal.close)
    terminal.resume(held)
    loop = Loop(terminal, screen, agent, panel, display, clock_ms=SystemClock().monotonic_ms)
    described = dict(display.described)
    if settings.virtual_place is not None:
        from kiosk.virtual.http_server import VirtualTerminalServer

        server = VirtualTerminalServer(settings.virtual_place)
        parts.callback(server.close)
        loop.serve_page(server, quarter_turns=looks.quarter_turns)
        described["virtual"] = server.address
    waker.wake_on_signals()

    def report() -> None:
        """Log the screen's properties after the first frame, when the logging library is loaded."""
        _log.info("screen", **described)

    deferred = DeferredStartup(panel, connect, is_virtual=settings.virtual_place is not None, report=report)
    parts.callback(deferred.wait)
    parts.callback(stopping.set)
    return loop, waker, deferred


def _board(
    settings: StartupSettings, card_decided: Callable[[CardDecision], None], parts: contextlib.ExitStack
) -> BoardServices:
    clock_file, lock_file = ClockFile(settings.data), LockFile(settings.data)
    parts.callback(clock_file.close)
    parts.callback(lock_file.close)
    return BoardServices(
        clock=clock_file,
        lock=lock_file,
        pins=FailedAttemptFile(settings.data),
        stick=UsbStick(settings.stick),
        updates=update_place(settings.system_root),
        shut_down=power_off,
        card_decided=card_decided,
    )


def _panel(settings: StartupSettings, provisioned: str, stopping: threading.Event) -> Panel:
    """Return the panel with its parts. ``provisioned`` is the panel's name in the provisioning file."""
    from hardware.panel import panel_on
    from hardware.pending_panel import retry_wait
    from hardware.pins import PinDriver
    from hardware.wiring import default_panel, own_model, wiring_named

    wiring = wiring_named(settings.panel or provisioned or default_panel(settings.pins, own_model()))
    # The GPIO chip may appear as late as the graphics card.
    waits = retry_wait(settings.screen_within_s, SystemClock().monotonic_ms, stopping)
    return panel_on(PinDriver(settings.pins), wiring, SystemClock().monotonic_ms, waits)
