"""Run a terminal: import only what its first picture needs, then everything else."""

import contextlib
import faulthandler
import gc
import importlib
import os
import sys
import threading
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Final

from saloon.base.errors import BadData, Unavailable
from saloon.base.terminal_text import echo
from saloon.hardware.wiring_fault import WiringFault
from saloon.kiosk.terminal.saved.identity import Identity
from saloon.kiosk.terminal.startup_settings import StartupSettings

_NOT_NEEDED: Final = (
    "greenlet",
    "numpy",
    "pkg_resources",
    "pygame.camera",
    "pygame.fastevent",
    "pygame.joystick",
    "pygame.mask",
    "pygame.mixer",
    "pygame.mixer_music",
    "pygame.overlay",
    "pygame.pixelarray",
    "pygame.pixelcopy",
    "pygame.scrap",
    "pygame.sndarray",
    "pygame.sprite",
    "pygame.surfarray",
    "pygame.threads",
    "rich",
)
"""Modules that libraries load if installed: a painter of tracebacks, arrays, a synthesizer, sprites."""
_FILES_OF_PICTURES: Final = "pygame.imageext"
"""Reads and writes them, with six libraries for their formats; only the page of a virtual terminal does."""
_PERHAPS_LATER: Final = "asyncio"
"""The logs' library has functions for programs that wait with it. Those load it, and with it TLS."""
_LOGS: Final = "structlog"
"""The logs' library: a sixth of the modules of a first picture, which has nothing to log."""


def start(settings: StartupSettings) -> None:
    """Run a terminal until a signal ends it. Exits with status 2 and a line where it cannot start.

    Where the station orders a restart, a system that supervises the program starts it again; without one it
    replaces itself.
    """
    os.environ["SDL_TOUCH_MOUSE_EVENTS"] = "0"
    os.environ["SDL_MOUSE_TOUCH_EVENTS"] = "0"
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    if settings.door is not None:
        os.environ["SDL_VIDEODRIVER"] = "dummy"
    if "WATCHDOG_USEC" in os.environ:
        # A hung terminal is ended by the system's watchdog, and says to the journal where it hung.
        faulthandler.enable()
    # Nothing that is loaded dies: the collector would look through all of it a dozen times. It goes on when
    # everything is there (``deferred_startup``).
    gc.disable()
    identity = Identity(settings.data)
    try:
        # pygame reads the environment when it is imported.
        load_libraries(has_door=settings.door is not None)
        from saloon.kiosk.terminal.composition import run

        is_restarting = run(settings, identity)
    except (BadData, Unavailable, WiringFault) as error:
        echo(f"saloon-terminal: {error}", err=True)
        sys.exit(2)
    finally:
        identity.close()
    if is_restarting and "NOTIFY_SOCKET" not in os.environ:
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 (ourselves)


def load_libraries(*, has_door: bool) -> None:
    """Load the library of the screen without what would take time and 10 MB for nothing; the logs' later.

    has_door: pictures are sent to the page of a virtual terminal.
    """
    with _spared(*_NOT_NEEDED, *(() if has_door else (_FILES_OF_PICTURES,))):
        # pygame warns of what it misses, in three lines of each start's journal.
        warnings.simplefilter("ignore", RuntimeWarning)
        importlib.import_module("pygame")
    if _LOGS in sys.modules:
        _load_logs()
    else:
        sys.modules[_LOGS] = _LateLogs(_LOGS)


@contextlib.contextmanager
def _spared(*names: str) -> Iterator[None]:
    """Let libraries that are loaded meanwhile do without these modules, and keep the filters of warnings."""
    absent = [name for name in names if name not in sys.modules]
    for name in absent:
        sys.modules[name] = None  # type: ignore[assignment]  # Python's own word for "not to be had"
    try:
        with warnings.catch_warnings():
            yield
    finally:
        for name in absent:
            del sys.modules[name]


def _load_logs() -> ModuleType:
    """Load the logs' library, unless it is loaded, and log to standard error from now on."""
    is_absent = _PERHAPS_LATER not in sys.modules
    with _spared(*_NOT_NEEDED, _PERHAPS_LATER):
        if is_absent:
            sys.modules[_PERHAPS_LATER] = _stand_in(_PERHAPS_LATER)
        library = importlib.import_module(_LOGS)
    from saloon.kiosk.terminal.logs import set_up_logs

    set_up_logs()
    return library


class _LateLogs(ModuleType):
    """Stands for the logs' library until the first line, of the deferred startup or of a fault."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._loading = threading.Lock()

    def get_logger(self) -> "_LateLogger":
        """Return a logger whose first line loads the library."""
        return _LateLogger(self)

    def library(self) -> ModuleType:
        """Return the library, loaded and set up."""
        with self._loading:
            if sys.modules[_LOGS] is self:
                del sys.modules[_LOGS]
                return _load_logs()
        return sys.modules[_LOGS]


class _LateLogger:
    def __init__(self, logs: _LateLogs) -> None:
        self._logs = logs

    def __getattr__(self, method: str) -> object:
        return getattr(self._logs.library().get_logger(), method)


def _stand_in(name: str) -> ModuleType:
    """Return a module that is loaded on the first access to one of its attributes."""
    module = ModuleType(name)

    def load_attribute(attribute: str) -> object:
        return getattr(importlib.import_module(name), attribute)

    vars(module)["__getattr__"] = load_attribute
    return module
