"""A virtual panel's battery, told through its mock pins where the power comes from."""

import pytest
from gpiozero.pins.mock import MockFactory

from base.errors import Unavailable
from hardware.contract import PanelEvent, PowerSource, ReadingsReported
from hardware.panel import PinPanel
from hardware.part_wiring import BatteryKind, BatteryWiring
from hardware.wiring import Wiring

STANDS_STILL_MS = 300


def told_after(panel: PinPanel, source: PowerSource, now: list[int]) -> tuple[bool | None, bool] | None:
    panel.run_on(source)
    events: list[PanelEvent] = []
    for _ in range(3):
        events += panel.advance(now[0])
        now[0] += STANDS_STILL_MS
    batteries = [event.readings.battery for event in events if isinstance(event, ReadingsReported)]
    last = batteries[-1] if batteries else None
    return None if last is None else (last.on_mains, last.is_low)


@pytest.mark.parametrize("active_high", [True, False])
def test_the_battery_tells_where_the_power_comes_from(*, active_high: bool) -> None:
    now = [0]
    part = BatteryWiring(BatteryKind.PINS, power_lost=26, low=16, active_high=active_high)
    panel = PinPanel(Wiring("x", battery=part), MockFactory(), lambda: now[0])
    panel.run_on(PowerSource.MAINS)
    for _ in range(3):
        panel.advance(now[0])
        now[0] += STANDS_STILL_MS
    assert told_after(panel, PowerSource.BATTERY, now) == (False, False)
    assert told_after(panel, PowerSource.LOW, now) == (False, True)
    assert told_after(panel, PowerSource.MAINS, now) == (True, False)
    panel.close()


def test_a_panel_without_such_a_battery_says_so() -> None:
    panel = PinPanel(Wiring("x"), MockFactory(), lambda: 0)
    with pytest.raises((OSError, KeyError, Unavailable)):
        panel.run_on(PowerSource.LOW)
    panel.close()
