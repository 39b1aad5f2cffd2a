"""A filter for link reports: changes reach the screen at once, mere counters every few seconds; pure."""

from typing import Final

import msgspec

from saloon.sync.terminal.agent_contract import LinkReport, LinkTold

_EVERY_MS: Final = 5_000


class LinkNews:
    """The filter for a terminal's link reports. told: the report that the screen starts with."""

    def __init__(self, told: LinkReport) -> None:
        self._told = told
        self._told_at_ms = 0

    def of(self, report: LinkReport, now_ms: int) -> tuple[LinkTold, ...]:
        """Return the report if it is due; nothing otherwise."""
        told = self._told
        quiet = msgspec.structs.replace(
            report, tries=told.tries, heard_at_ms=told.heard_at_ms, figures=told.figures
        )
        is_soon = now_ms - self._told_at_ms < _EVERY_MS
        if report == told or (quiet == told and is_soon):
            return ()
        self._told, self._told_at_ms = report, now_ms
        return (LinkTold(report),)
