"""Start a terminal quickly: import only what its first frame needs, and the rest afterwards.

``main`` is the program ``saloon-kiosk``, which the system of a board starts. Its settings come from a file,
because a command-line parser would add a tenth to the time until the first picture.
"""

import contextlib
import faulthandler
import gc
import importlib
import os
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Final

from base import __version__
from base.errors import BadData, Unavailable
from base.terminal_text import echo
from hardware.contract import WiringFault
from kiosk.terminal.startup.terminal_certificate import TerminalCertificate
from kiosk.terminal.startup_settings import StartupSettings, settings_in

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
"""Optional modules of libraries that we don't use, such as rich tracebacks, arrays, sound and sprites."""
_FILES_OF_PICTURES: Final = "pygame.imageext"
"""The module for image files, which needs six libraries; only the page of a virtual terminal uses it."""
_PERHAPS_LATER: Final = "asyncio"
"""The module that structlog imports for asynchronous functions, which we don't use; it also loads TLS."""
_LOGS: Final = "structlog"
"""The logging library, which has a sixth of all modules, and isn't needed before the first frame."""


def start(settings: StartupSettings) -> None:
    """Run a terminal until it gets a signal. Exits with status 2 and a message if it can't start.

    When the station orders a restart, the terminal exits if a supervisor will start it again; otherwise it
    replaces its own process.
    """
    os.environ["SDL_TOUCH_MOUSE_EVENTS"] = "0"
    os.environ["SDL_MOUSE_TOUCH_EVENTS"] = "0"
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    if settings.virtual_place is not None:
        os.environ["SDL_VIDEODRIVER"] = "dummy"
    if "WATCHDOG_USEC" in os.environ:
        # If the system's watchdog kills a hung terminal, its traceback is written to the journal.
        faulthandler.enable()
    # Everything that is imported stays in use, so collecting garbage would only take time.
    # ``composition`` enables the collector again.
    gc.disable()
    own_certificate = TerminalCertificate(settings.data)
    try:
        # pygame reads the environment when it is imported.
        load_libraries(is_virtual=settings.virtual_place is not None)
        from kiosk.terminal.startup.composition import run

        is_restarting = run(settings, own_certificate)
    except (BadData, Unavailable, WiringFault) as error:
        echo(f"saloon-terminal: {error}", err=True)
        sys.exit(2)
    finally:
        own_certificate.close()
    if is_restarting and "NOTIFY_SOCKET" not in os.environ:
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 (ourselves)


def load_libraries(*, is_virtual: bool) -> None:
    """Import pygame without the modules that cost time and 10 MB, and arrange to import structlog later.

    With ``is_virtual``, a virtual terminal's page needs the modules for image files.
    """
    with _without_modules(*_NOT_NEEDED, *(() if is_virtual else (_FILES_OF_PICTURES,))):
        # pygame warns about missing modules, which would fill three lines of the journal at each start.
        warnings.simplefilter("ignore", RuntimeWarning)
        importlib.import_module("pygame")
    if _LOGS in sys.modules:
        _load_logs()
    else:
        sys.modules[_LOGS] = _LateLogs(_LOGS)


@contextlib.contextmanager
def _without_modules(*names: str) -> Iterator[None]:
    """Make imports of these modules fail within the block, and restore the warning filters afterwards."""
    absent = [name for name in names if name not in sys.modules]
    for name in absent:
        sys.modules[name] = None  # type: ignore[assignment]  # which makes Python refuse the import
    try:
        with warnings.catch_warnings():
            yield
    finally:
        for name in absent:
            del sys.modules[name]


def _load_logs() -> ModuleType:
    is_absent = _PERHAPS_LATER not in sys.modules
    with _without_modules(*_NOT_NEEDED, _PERHAPS_LATER):
        if is_absent:
            sys.modules[_PERHAPS_LATER] = _stand_in(_PERHAPS_LATER)
        library = importlib.import_module(_LOGS)
    from kiosk.cli.logs import set_up_logs

    set_up_logs()
    return library


class _LateLogs(ModuleType):
    """A placeholder for structlog, which imports and configures it when the first line is logged."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._loading = threading.Lock()

    def get_logger(self) -> "_LateLogger":
        return _LateLogger(self)

    def library(self) -> ModuleType:
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
    """Return a placeholder module that imports the real one on first access to an attribute."""
    module = ModuleType(name)

    def load_attribute(attribute: str) -> object:
        return getattr(importlib.import_module(name), attribute)

    vars(module)["__getattr__"] = load_attribute
    return module


_USAGE = """Usage: saloon-kiosk FILE

Run a table's terminal with the settings in FILE, such as /etc/saloon/terminal.toml.

--version  Show the version and exit.
--help     Show this message and exit.

On a command line, saloon-terminal takes the same settings as options."""


def main() -> None:
    """Run the terminal with the settings in the given file. Exits with status 2 if it can't start."""
    if sys.argv[1:] == ["--help"]:
        print(_USAGE)
        return
    if sys.argv[1:] == ["--version"]:
        print(f"saloon-kiosk, version {__version__}")
        return
    if len(sys.argv) != 2:  # noqa: PLR2004 (the program and its file)
        print("saloon-kiosk: name its file, as saloon-kiosk /etc/saloon/terminal.toml", file=sys.stderr)
        sys.exit(2)
    try:
        settings = settings_in(Path(sys.argv[1]))
    except BadData as error:
        echo(f"saloon-kiosk: {error}", err=True)
        sys.exit(2)
    start(settings)
