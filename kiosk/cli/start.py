"""One terminal from its settings to its end: the libraries that its first picture needs, then all of it."""

import faulthandler
import gc
import importlib
import os
import sys
import warnings
from types import ModuleType
from typing import Final

from saloon.base.errors import BadData, Unavailable
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
        from saloon.kiosk.terminal.logs import set_up_logs

        set_up_logs()
        is_restarting = run(settings, identity)
    except (BadData, Unavailable, WiringFault) as error:
        print(f"saloon-terminal: {error}", file=sys.stderr)
        sys.exit(2)
    finally:
        identity.close()
    if is_restarting and "NOTIFY_SOCKET" not in os.environ:
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 (ourselves)


def load_libraries(*, has_door: bool) -> None:
    """Load the libraries of the logs and of the screen without what would take time and 10 MB for nothing.

    has_door: pictures are sent to the page of a virtual terminal.
    """
    spared = (*_NOT_NEEDED, _PERHAPS_LATER, *(() if has_door else (_FILES_OF_PICTURES,)))
    absent = [name for name in spared if name not in sys.modules]
    for name in absent:
        sys.modules[name] = None  # type: ignore[assignment]  # Python's own word for "not to be had"
    if _PERHAPS_LATER in absent:
        sys.modules[_PERHAPS_LATER] = _stand_in(_PERHAPS_LATER)
    with warnings.catch_warnings():
        # pygame warns of what it misses, in three lines of each start's journal.
        warnings.simplefilter("ignore", RuntimeWarning)
        for library in ("structlog", "pygame"):
            importlib.import_module(library)
    for name in absent:
        del sys.modules[name]


def _stand_in(name: str) -> ModuleType:
    """Return a module that is loaded on the first access to one of its attributes."""
    module = ModuleType(name)

    def load_attribute(attribute: str) -> object:
        return getattr(importlib.import_module(name), attribute)

    vars(module)["__getattr__"] = load_attribute
    return module
