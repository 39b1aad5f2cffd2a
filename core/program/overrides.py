"""A worked case's ``config``: readings that replace those of an edition."""

from collections.abc import Mapping

from msgspec.structs import replace

from saloon.core.editions.edition import Edition
from saloon.core.editions.loader import with_readings
from saloon.core.editions.tables import AboveChart
from saloon.core.errors import BadData

CHART_ABOVE_50 = "chart_above_50"
"""The only flag that is not a reading but a part of the table chart (D02)."""


def overridden(edition: Edition, config: Mapping[str, object], where: str) -> Edition:
    """An edition that reads what a config says. where: names the vector in errors.

    Raises BadData for a flag, or a value of one, that the edition does not know: ignoring it
    would let a case pass that was not tried.
    """
    flags = dict(config)
    tables = edition.tables
    if CHART_ABOVE_50 in flags:
        tables = replace(tables, above_chart=_above_chart(flags.pop(CHART_ABOVE_50), where))
    return replace(with_readings(edition, flags, f"{where}, config"), tables=tables)


def _above_chart(value: object, where: str) -> AboveChart:
    try:
        return AboveChart(value)
    except ValueError as error:
        allowed = ", ".join(known.value for known in AboveChart)
        raise BadData(
            f"{where}, config.{CHART_ABOVE_50}", f"unknown value {value!r}; allowed: {allowed}"
        ) from error
