"""Which graphics card has a screen: their numbers move between starts of some boards."""

import contextlib
import re
from pathlib import Path
from typing import Final

CARDS: Final = Path("/sys/class/drm")
_CONNECTOR: Final = re.compile(r"card(\d+)-([A-Za-z]+(?:-[A-Z])?)-\d+")
_BUILT_IN: Final = ("DSI", "DPI", "eDP", "LVDS")


def connected_card(cards: Path = CARDS) -> int | None:
    """The number of the card whose connector says that a screen hangs on it; None where none does.

    A panel that is built in comes before one with a plug, then the lowest number.
    """
    found: list[tuple[bool, int]] = []
    with contextlib.suppress(OSError):
        for connector in cards.iterdir():
            name = _CONNECTOR.fullmatch(connector.name)
            if name is None:
                continue
            with contextlib.suppress(OSError):
                if (connector / "status").read_text(encoding="ascii").strip() == "connected":
                    found.append((name[2] not in _BUILT_IN, int(name[1])))
    return min(found)[1] if found else None
