"""Services of the board that a terminal runs on: files, USB drive and power switch."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from kiosk.terminal.link.offline_export import USUAL_STICK, UsbStick
from kiosk.terminal.lock import LockFile
from kiosk.terminal.pin import FailedAttemptFile
from kiosk.terminal.round_clock import ClockFile
from kiosk.view.intents import CardDecision
from sync.update.place import UpdateFolders


class BoardServices(msgspec.Struct, frozen=True):
    """The services of the board that a terminal runs on. The defaults store nothing.

    shut_down: powers the board off; raises OSError.
    card_decided: ends the program, so that its next start carries out the judge's decision about the card.
    """

    clock: ClockFile = ClockFile(None, "")
    lock: LockFile = LockFile(None)
    pins: FailedAttemptFile = FailedAttemptFile(None)
    stick: UsbStick = UsbStick(USUAL_STICK)
    updates: UpdateFolders = UpdateFolders(Path("/"))
    shut_down: Callable[[], None] = lambda: None
    card_decided: Callable[[CardDecision], None] = lambda _decision: None
