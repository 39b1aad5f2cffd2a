"""Terminals shown in a browser: which table each has, which device may hold it, and when it has ended."""

import contextlib
import hashlib
import hmac
import math
import secrets
import shutil
from pathlib import Path
from typing import Final

import msgspec
import structlog

from base.whole_file import write_whole
from core.terms import GameId, TableNo

_log = structlog.get_logger()
_FILE: Final = "browser.json"
DATA: Final = "terminal"
"""The name of the folder for the terminal's own data, within its folder."""
_SMALLEST: Final = 320
_LONGEST_SIDE: Final = 1024
"""The longest side of the picture: enough for a tablet at arm's length, and small enough for slow Wi-Fi."""
_PIXELS_PER_INCH: Final = 150
"""The approximate number of CSS pixels per inch on phones and tablets."""
_PANELS_IN: Final = (4.5, 13.0)


class DeviceScreen(msgspec.Struct, frozen=True):
    """A device's screen as its browser reports it: the page's size, and the device pixel ratio."""

    width: int = 800
    height: int = 480
    ratio: float = 1.0

    def picture(self) -> tuple[int, int]:
        """Return the size of the terminal's picture on this screen, in pixels."""
        width, height = max(_SMALLEST, self.width), max(_SMALLEST, self.height)
        scale = min(max(1.0, self.ratio), _LONGEST_SIDE / max(width, height))
        return max(_SMALLEST, round(width * scale)), max(_SMALLEST, round(height * scale))

    def inches(self) -> float:
        """Return the approximate diagonal of the screen in inches."""
        diagonal = math.hypot(max(_SMALLEST, self.width), max(_SMALLEST, self.height))
        least, most = _PANELS_IN
        return round(min(most, max(least, diagonal / _PIXELS_PER_INCH)), 1)


class BrowserTerminal(msgspec.Struct, frozen=True):
    """A terminal in a browser.

    key: names its folder.
    by: the judge who offered it.
    made_ms: wall clock.
    link: hash of the link's key word, empty once a device has used it.
    holder: hash of the secret kept by the device's browser, empty if none does.
    game: the game it was made for, empty until its table has one; it ends with this game.
    is_over: no browser may hold it any more; it is removed when the station has all of its entries.
    """

    key: str
    table: TableNo
    by: str
    made_ms: int
    link: str = ""
    holder: str = ""
    screen: DeviceScreen = DeviceScreen()
    game: GameId = GameId("")
    is_over: bool = False

    @property
    def is_held(self) -> bool:
        return bool(self.holder)

    def is_link(self, word: str) -> bool:
        """Return whether a key word is the current link's."""
        return not self.is_over and bool(self.link) and hmac.compare_digest(self.link, _hash(word))

    def is_holder(self, word: str) -> bool:
        """Return whether a secret is the current holder's."""
        return not self.is_over and bool(self.holder) and hmac.compare_digest(self.holder, _hash(word))

    def with_link(self) -> tuple["BrowserTerminal", str]:
        """Return the terminal with a new link, and the link's key word. A device that held it loses it."""
        word = secrets.token_urlsafe(16)
        return msgspec.structs.replace(self, link=_hash(word), holder=""), word

    def taken(self, screen: DeviceScreen) -> tuple["BrowserTerminal", str]:
        """Return the terminal as held by a browser, and the secret for the browser to keep.

        The terminal keeps its first screen, as its picture cannot change its size.
        """
        word = secrets.token_urlsafe(24)
        kept = screen if self.screen == DeviceScreen() else self.screen
        return msgspec.structs.replace(self, link="", holder=_hash(word), screen=kept), word


def _hash(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()


class BrowserTerminalFolder:
    """The browser terminals of one station, with a folder for each. Calls block."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self) -> tuple[BrowserTerminal, ...]:
        """Return all terminals, oldest first. A damaged file is skipped and logged."""
        terminals = []
        for file in self._folder.glob(f"*/{_FILE}"):
            try:
                terminals.append(msgspec.json.decode(file.read_bytes(), type=BrowserTerminal))
            except (OSError, msgspec.DecodeError) as error:
                _log.error("a browser terminal cannot be read", file=str(file), problem=str(error))
        return tuple(sorted(terminals, key=lambda terminal: terminal.made_ms))

    def save(self, terminal: BrowserTerminal) -> None:
        """Save a terminal durably."""
        folder = self._folder / terminal.key
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(folder / _FILE, msgspec.json.encode(terminal))

    def remove(self, terminal: BrowserTerminal) -> None:
        """Remove a terminal with its journal, which the station has received."""
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(self._folder / terminal.key)

    def data_of(self, terminal: BrowserTerminal) -> Path:
        """Return the folder of a terminal's journal and keys."""
        return self._folder / terminal.key / DATA
