"""Which graphics card has a screen: their numbers move between starts of some boards."""

import contextlib
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

CARDS: Final = Path("/sys/class/drm")
DEVICES: Final = Path("/dev/dri")
_CONNECTOR: Final = re.compile(r"card(\d+)-([A-Za-z]+(?:-[A-Z])?)-\d+")
_LOOK_S: Final = 0.02
_BUILT_IN: Final = ("DSI", "DPI", "eDP", "LVDS")


def wait_for_card(
    within_s: float,
    cards: Path = CARDS,
    devices: Path = DEVICES,
    *,
    clock_s: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> bool:
    """Wait until a card with a place for a screen may be opened; return whether there is one.

    A program that starts with its board is ready before the system has handed the card over. Whether a
    screen hangs on it does not matter, and a card without connectors (the 3D part of a Pi) does not count.
    """
    end_s = clock_s() + within_s
    while not (found := _is_handed_over(cards, devices)) and clock_s() < end_s:
        sleep(_LOOK_S)
    return found


def _is_handed_over(cards: Path, devices: Path) -> bool:
    with contextlib.suppress(OSError):
        numbers = {name[1] for path in cards.iterdir() if (name := _CONNECTOR.fullmatch(path.name))}
        return any(os.access(devices / f"card{number}", os.R_OK | os.W_OK) for number in numbers)
    return False


def connected_card(cards: Path = CARDS) -> int | None:
    """Return the number of the card whose connector reports a connected screen; None if none does.

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
