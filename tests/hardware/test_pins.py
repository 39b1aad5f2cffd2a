import pytest

from saloon.hardware.pins import PinDriver, PinsUnavailable, pin_factory


def test_the_mock_driver_works_everywhere() -> None:
    pin_factory(PinDriver.MOCK).close()


@pytest.mark.parametrize("driver", [PinDriver.RPIGPIO, PinDriver.LGPIO])
def test_a_driver_that_does_not_work_here_says_so_and_what_to_do(driver: PinDriver) -> None:
    with pytest.raises(PinsUnavailable, match=f"^pins by {driver.value}: .+; install it, or name another"):
        pin_factory(driver)
