"""Voltage drop: the chain against sums, and what no supply can feed is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.workshop.cables import ChainTooLong, chain_v, drop_v, longest_m


@given(st.floats(0.05, 3), st.floats(0.1, 5), st.floats(0.05, 2))
def test_a_cable_of_the_longest_length_takes_just_that_voltage(
    area: float, ampere: float, volts: float
) -> None:
    assert drop_v(longest_m(area, ampere, volts), area, ampere) == pytest.approx(volts)


def test_a_chain_of_one_is_a_cable() -> None:
    (volts,) = chain_v(1, 5, 1.5, 12, 24)
    assert volts == pytest.approx(24 - drop_v(5, 1.5, 12 / volts))


@given(st.integers(1, 8), st.floats(1, 6), st.floats(1, 12))
def test_each_piece_of_a_chain_carries_what_lies_behind_it(tables: int, spacing: float, watts: float) -> None:
    volts = chain_v(tables, spacing, 2.5, watts, 24)
    assert volts == sorted(volts, reverse=True)
    for at in range(1, tables):
        behind = sum(watts / here for here in volts[at:])
        assert volts[at - 1] - volts[at] == pytest.approx(drop_v(spacing, 2.5, behind), rel=1e-3)


def test_a_chain_that_cannot_be_fed_is_refused() -> None:
    with pytest.raises(ChainTooLong):
        chain_v(40, 10, 0.5, 15, 24)
