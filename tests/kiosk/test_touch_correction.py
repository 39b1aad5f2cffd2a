import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.touch import BadTouches, Correction, correction_of

CROSSES = ((0.1, 0.12), (0.9, 0.12), (0.9, 0.88), (0.1, 0.88), (0.5, 0.5))
near_one = st.floats(0.88, 1.14)
small = st.floats(-0.04, 0.04)


def undone(panel: Correction, place: tuple[float, float]) -> tuple[float, float]:
    """Return where a panel with this fault reports a touch at a place."""
    whole = panel.xx * panel.yy - panel.xy * panel.yx
    x, y = place[0] - panel.x0, place[1] - panel.y0
    return (panel.yy * x - panel.xy * y) / whole, (panel.xx * y - panel.yx * x) / whole


@given(st.builds(Correction, near_one, small, small, small, near_one, small))
def test_what_a_panel_does_to_touches_is_undone(fault: Correction) -> None:
    touched = [undone(fault, place) for place in CROSSES]
    correction = correction_of(touched, CROSSES)
    for touch, place in zip(touched, CROSSES, strict=True):
        assert correction.at(touch) == pytest.approx(place, abs=1e-6)


@given(st.lists(st.tuples(small, small), min_size=5, max_size=5))
def test_fingers_that_are_not_exact_give_a_sane_correction_or_none(errors: list[tuple[float, float]]) -> None:
    touched = [(x + dx, y + dy) for (x, y), (dx, dy) in zip(CROSSES, errors, strict=True)]
    try:
        correction = correction_of(touched, CROSSES)
    except BadTouches:
        return
    assert correction.is_sane()
    assert (
        max(abs(correction.at(touch)[0] - place[0]) for touch, place in zip(touched, CROSSES, strict=True))
        < 0.021
    )


@pytest.mark.parametrize(
    "touched",
    [
        [(1 - x, y) for x, y in CROSSES],
        [(y, x) for x, y in CROSSES],
        [(x * 0.5, y * 0.5) for x, y in CROSSES],
        [(x + 0.2, y) for x, y in CROSSES],
        [(0.5, 0.5)] * 5,
        [(x, 0.5) for x, _ in CROSSES],
        [*CROSSES[:4], (0.7, 0.5)],
    ],
    ids=["mirrored", "turned", "half", "far off", "one place", "one line", "one missed"],
)
def test_what_would_make_the_screen_worse_is_refused(touched: list[tuple[float, float]]) -> None:
    with pytest.raises(BadTouches):
        correction_of(touched, CROSSES)
