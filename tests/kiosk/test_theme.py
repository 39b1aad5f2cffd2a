import pytest

from saloon.kiosk import theme
from saloon.kiosk.theme import LEGIBLE, Colour, contrast


@pytest.mark.parametrize(("use", "front", "back", "least"), LEGIBLE, ids=str)
def test_what_is_read_stands_out(use: str, front: Colour, back: Colour, least: float) -> None:
    assert contrast(front, back) >= least, f"{use}: {contrast(front, back):.2f}"


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


def test_every_pair_of_names_and_numbers_is_aaa() -> None:
    for use, _front, _back, least in LEGIBLE:
        if "name" in use or "number" in use or "life" in use:
            assert least >= theme.AAA, use
