"""The services of the board that a terminal runs on: its files, its USB drive, its power switch."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from saloon.kiosk.intents import CardDecision
from saloon.kiosk.terminal.clock.round_clock import ClockStore, NoClockFile
from saloon.kiosk.terminal.link.usb_stick import USUAL_STICK, UsbStick
from saloon.kiosk.terminal.lock import LockStore
from saloon.kiosk.terminal.saved.failed_pin_attempts import FailedAttemptStore, NoFailedAttemptFile
from saloon.sync.update.place import UpdateFolders


class BoardServices(msgspec.Struct, frozen=True):
    """The services of the board that a terminal runs on; without them nothing outlives it.

    clock, lock, pins: keep the round's clock, the table's lock and wrong PINs across a restart. stick: where
    parcels can be written. updates: the place where the image keeps updates. shut_down: switches the board
    off on request at the panel; raises OSError. card_decided: ends the program; its next start does what the
    judge decided of the card.
    """

    clock: ClockStore = NoClockFile()
    lock: LockStore | None = None
    pins: FailedAttemptStore = NoFailedAttemptFile()
    stick: UsbStick = UsbStick(USUAL_STICK)
    updates: UpdateFolders = UpdateFolders(Path("/"))
    shut_down: Callable[[], None] = lambda: None
    card_decided: Callable[[CardDecision], None] = lambda _decision: None
