"""What the screen may show of the terminal's own parts: what failed, power and heat, the self-test."""

import enum

import msgspec

from saloon.hardware.contract import Button, PartFailed
from saloon.hardware.readings import Readings


class ShutDown(enum.Enum):
    """Whether somebody wants to shut the terminal down."""

    NO = "no"
    ASKED = "asked"
    """The button was held: the screen asks. Held once more, the button itself says yes."""
    FAILED = "failed"
    """The system would not."""


class Tested(msgspec.Struct, frozen=True):
    """What hands did since the self-test asked for it. presses: in order, of buttons; turns: of the key."""

    presses: tuple[Button, ...] = ()
    turns: tuple[bool, ...] = ()


class PartsView(msgspec.Struct, frozen=True):
    """names: of all parts that the panel should have. failed: of those, what does not work and why.

    tested: while a self-test runs, else None. touch_trial: a new touch calibration is being tried.
    """

    names: tuple[str, ...] = ()
    failed: tuple[PartFailed, ...] = ()
    readings: Readings = Readings()
    tested: Tested | None = None
    touch_trial: bool = False
    shut_down: ShutDown = ShutDown.NO

    def failure(self, part: str) -> PartFailed | None:
        """Why a part does not work; None if it does, or is not known."""
        return next((failed for failed in self.failed if failed.part == part), None)
