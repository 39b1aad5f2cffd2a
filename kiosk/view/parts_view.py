"""The state of the terminal's own parts for the screen: failures, power and heat, the self-test."""

import enum

import msgspec

from saloon.hardware.contract import PanelButton, PartFailed, SwitchState
from saloon.hardware.parts.readings import SensorReadings


class ShutDown(enum.Enum):
    """The state of a request to shut the terminal down."""

    NO = "no"
    ASKED = "asked"
    """The button was held: the screen asks. Held once more, the button confirms."""
    FAILED = "failed"
    """The system would not."""


class SelfTestInput(msgspec.Struct, frozen=True):
    """The input since the self-test asked for it. presses: of buttons, turns: of switches."""

    presses: tuple[PanelButton, ...] = ()
    turns: tuple[str, ...] = ()


class PartsView(msgspec.Struct, frozen=True):
    """The panel's parts as the screen shows them.

    names: of all parts that the panel should have. failed: those that don't work, with the reason.
    tested: while a self-test runs, else None. touch_trial: a new touch calibration is being tried.
    """

    names: tuple[str, ...] = ()
    failed: tuple[PartFailed, ...] = ()
    readings: SensorReadings = SensorReadings()
    tested: SelfTestInput | None = None
    touch_trial: bool = False
    shut_down: ShutDown = ShutDown.NO
    switches: tuple[SwitchState, ...] = ()

    def failure(self, part: str) -> PartFailed | None:
        """Return the failure of a part; None if it works, or is not known."""
        return next((failed for failed in self.failed if failed.part == part), None)
