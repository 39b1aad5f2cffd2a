"""Terminals whose screen is a browser: which table each has, who may hold it, and when it is over."""

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

from saloon.base.whole_file import write_whole
from saloon.core.terms import GameId, TableNo

_log = structlog.get_logger()
_FILE: Final = "browser.json"
DATA: Final = "terminal"
"""The folder of the terminal itself inside its own."""
_SMALLEST: Final = 320
_LONGEST_SIDE: Final = 1024
"""Of the picture: enough for a tablet at arm's length, and little enough for slow Wi-Fi."""
_PIXELS_PER_INCH: Final = 150
"""About as many of a browser's pixels as phones and tablets show on an inch."""
_PANELS_IN: Final = (4.5, 13.0)


class DeviceScreen(msgspec.Struct, frozen=True):
    """The screen of a device as its browser tells it. width, height: of the page; ratio: of device pixels."""

    width: int = 800
    height: int = 480
    ratio: float = 1.0

    def picture(self) -> tuple[int, int]:
        """Return the size of the terminal's picture on this screen, in pixels."""
        width, height = max(_SMALLEST, self.width), max(_SMALLEST, self.height)
        scale = min(max(1.0, self.ratio), _LONGEST_SIDE / max(width, height))
        return max(_SMALLEST, round(width * scale)), max(_SMALLEST, round(height * scale))

    def inches(self) -> float:
        """Return about how long the diagonal of the screen is."""
        diagonal = math.hypot(max(_SMALLEST, self.width), max(_SMALLEST, self.height))
        least, most = _PANELS_IN
        return round(min(most, max(least, diagonal / _PIXELS_PER_INCH)), 1)


class BrowserTerminal(msgspec.Struct, frozen=True):
    """A terminal in a browser. key: names its folder. by: the judge who offered it. made_ms: wall clock.

    link: hash of the link's word, empty once a device has taken it. holder: hash of what the device's browser
    keeps, empty for none. game: what it was made for, empty until its table has one; it dies with it.
    is_over: no browser may hold it any more; it goes when the station has everything.
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
        """Return whether a device has taken it."""
        return bool(self.holder)

    def is_link(self, word: str) -> bool:
        """Return whether a word opens it now."""
        return not self.is_over and bool(self.link) and hmac.compare_digest(self.link, _hash(word))

    def is_holder(self, word: str) -> bool:
        """Return whether a browser that keeps this word holds it."""
        return not self.is_over and bool(self.holder) and hmac.compare_digest(self.holder, _hash(word))

    def with_link(self) -> tuple["BrowserTerminal", str]:
        """Return it with a new link, and the link's word; a device that held it holds it no more."""
        word = secrets.token_urlsafe(16)
        return msgspec.structs.replace(self, link=_hash(word), holder=""), word

    def taken(self, screen: DeviceScreen) -> tuple["BrowserTerminal", str]:
        """Return it held by a browser, and the word which that browser is to keep.

        The terminal keeps the screen it began with, as its picture cannot change its size.
        """
        word = secrets.token_urlsafe(24)
        kept = screen if self.screen == DeviceScreen() else self.screen
        return msgspec.structs.replace(self, link="", holder=_hash(word), screen=kept), word


def _hash(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()


class BrowserTerminalFolder:
    """The terminals in browsers of one station, a folder for each. Calls block."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self) -> tuple[BrowserTerminal, ...]:
        """Return all terminals, the oldest first; a damaged file is left alone, and said in the log."""
        found = []
        for file in self._folder.glob(f"*/{_FILE}"):
            try:
                found.append(msgspec.json.decode(file.read_bytes(), type=BrowserTerminal))
            except (OSError, msgspec.DecodeError) as error:
                _log.error("a browser terminal cannot be read", file=str(file), problem=str(error))
        return tuple(sorted(found, key=lambda terminal: terminal.made_ms))

    def save(self, terminal: BrowserTerminal) -> None:
        """Save a terminal durably."""
        folder = self._folder / terminal.key
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(folder / _FILE, msgspec.json.encode(terminal))

    def remove(self, terminal: BrowserTerminal) -> None:
        """Remove a terminal with its journal, which the station has."""
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(self._folder / terminal.key)

    def data_of(self, terminal: BrowserTerminal) -> Path:
        """Return the folder of a terminal's journal and keys."""
        return self._folder / terminal.key / DATA
