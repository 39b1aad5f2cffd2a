"""Statistics as rows of a chart: a bar, its interval, and what they mean in words."""

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

import msgspec

from saloon.core.text.sentence import dollars
from saloon.core.tournament.statistics import Rate, Statistics
from saloon.station.web.i18n import Words

_Key = TypeVar("_Key")
WIDTH: Final = 300
"""The width of a chart's bars in points."""


class RateBar(msgspec.Struct, frozen=True):
    """A bar of a chart. bar, low, high: in points from the left."""

    label: str
    rate: Rate
    bar: float
    low: float
    high: float
    mean: str


class RateChart(msgspec.Struct, frozen=True):
    """A chart of wins. note: what is counted."""

    title: str
    note: str
    bars: tuple[RateBar, ...]


def charts_of(found: Statistics, words: Words) -> tuple[RateChart, ...]:
    """Return the charts that have anything to show."""
    _ = words.gettext
    seat, players = _("Seat {n}"), _("{n} players at the table")
    by_seat = _bars(found.by_seat, lambda number: seat.format(n=number))
    by_size = _bars(found.by_size, lambda number: players.format(n=number))
    by_character = _bars(found.by_character, words.label)
    all_charts = (
        RateChart(_("Wins by role"), "", _bars(found.by_role, words.label)),
        RateChart(_("Wins by seat"), _("Seat 1 is the Sheriff's."), by_seat),
        RateChart(_("Wins of the Sheriff by table size"), "", by_size),
        RateChart(_("Wins by character"), _("Where characters were recorded."), by_character),
    )
    return tuple(chart for chart in all_charts if chart.bars)


def _bars(rates: Mapping[_Key, Rate], name_of: Callable[[_Key], str]) -> tuple[RateBar, ...]:
    bars = []
    for key, rate in rates.items():
        low, high = rate.interval
        ends = WIDTH * rate.share, WIDTH * low, WIDTH * high
        bars.append(RateBar(name_of(key), rate, *ends, dollars(rate.mean_dollars)))
    return tuple(bars)
