"""A worked case's ``config``: readings that replace those of an edition."""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from saloon.base.errors import BadData
from saloon.core.editions.edition import Edition
from saloon.core.editions.loader import with_readings
from saloon.core.editions.options import AuctionRule, Options
from saloon.core.editions.tables import AboveChart

CHART_ABOVE_50 = "chart_above_50"
"""A flag that is not a reading but a part of the table chart (D02)."""

ENLISTMENT_AUCTION: Mapping[str, str] = {
    "enlistment_bid_step": "step",
    "enlistment_bid_order": "order",
    "enlistment_next_nominator": "next_nominator",
}
"""Flags that are no readings but fields of the auction of an enlistment (D32)."""


def overridden(edition: Edition, config: Mapping[str, object], where: str) -> Edition:
    """Return an edition that reads what a config says. where: names the vector in errors.

    Raises BadData for a flag, or a value of one, that the edition does not know: ignoring it
    would let a case pass that was not tried.
    """
    flags = dict(config)
    tables = edition.tables
    if CHART_ABOVE_50 in flags:
        tables = replace(tables, above_chart=_above_chart(flags.pop(CHART_ABOVE_50), where))
    options = _options(edition.options, flags, f"{where}, config")
    read = with_readings(edition, flags, f"{where}, config")
    return replace(read, tables=tables, options=options)


def _options(options: Options, flags: dict[str, object], where: str) -> Options:
    """Return the options with the auction given by flags, and remove those flags."""
    named = {field: flags.pop(flag) for flag, field in ENLISTMENT_AUCTION.items() if flag in flags}
    if options.enlistment is None or not named:
        return options
    try:
        rule = msgspec.convert(msgspec.to_builtins(options.enlistment.auction) | named, AuctionRule)
    except msgspec.ValidationError as error:
        raise BadData(where, str(error).replace("`", "")) from error
    return replace(options, enlistment=replace(options.enlistment, auction=rule))


def _above_chart(value: object, where: str) -> AboveChart:
    try:
        return AboveChart(value)
    except ValueError as error:
        allowed = ", ".join(known.value for known in AboveChart)
        raise BadData(
            f"{where}, config.{CHART_ABOVE_50}", f"unknown value {value!r}; allowed: {allowed}"
        ) from error
