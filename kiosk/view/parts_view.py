"""The state of the terminal's own parts for the screen: failures, power, temperature and self-test."""

import enum

import msgspec

from hardware.contract import PanelButton, PartFailed, SensorReadings, SwitchState


class ShutDown(enum.Enum):
    """The state of a shutdown request."""

    NO = "no"
    ASKED = "asked"
    """The button was held, and the screen asks; another hold confirms."""
    FAILED = "failed"
    """The system refused."""


class SelfTestInput(msgspec.Struct, frozen=True):
    """Input since the self-test asked for it.

    presses: button presses.
    turns: switch turns.
    """

    presses: tuple[PanelButton, ...] = ()
    turns: tuple[str, ...] = ()


class PartsView(msgspec.Struct, frozen=True):
    """The panel's parts as the screen shows them.

    names: the names of all parts that the panel should have.
    failed: those that don't work, with the reason.
    tested: state of a running self-test, or None.
    touch_trial: a new touch calibration is being tried.
    """

    names: tuple[str, ...] = ()
    failed: tuple[PartFailed, ...] = ()
    readings: SensorReadings = SensorReadings()
    tested: SelfTestInput | None = None
    touch_trial: bool = False
    shut_down: ShutDown = ShutDown.NO
    switches: tuple[SwitchState, ...] = ()

    def failure(self, part: str) -> PartFailed | None:
        """Return the failure of a part, or None if it works or is unknown."""
        return next((failed for failed in self.failed if failed.part == part), None)
