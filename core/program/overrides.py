"""A worked case's ``config``: readings that replace those of an edition."""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from saloon.core.editions.edition import AboveChart, Edition
from saloon.core.editions.readings import Readings
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
    readings: dict[str, object] = msgspec.to_builtins(edition.readings)
    unknown = [flag for flag in flags if flag not in readings]
    if unknown:
        allowed = ", ".join(sorted({*readings, CHART_ABOVE_50}))
        raise BadData(f"{where}, config.{unknown[0]}", f"unknown flag; allowed: {allowed}")
    try:
        read = msgspec.convert(readings | flags, Readings, strict=True)
    except msgspec.ValidationError as error:
        raise BadData(f"{where}, config", str(error).replace("`", "")) from error
    return replace(edition, tables=tables, readings=read)


def _above_chart(value: object, where: str) -> AboveChart:
    try:
        return AboveChart(value)
    except ValueError as error:
        allowed = ", ".join(known.value for known in AboveChart)
        raise BadData(
            f"{where}, config.{CHART_ABOVE_50}", f"unknown value {value!r}; allowed: {allowed}"
        ) from error
