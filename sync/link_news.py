"""What the screen is told of the link: at once what it shows, every few seconds what only counts; pure."""

from typing import Final

import msgspec

from saloon.sync.agent_contract import LinkReport, LinkTold

_EVERY_MS: Final = 5_000


class LinkNews:
    """told: the report that the screen has to begin with."""

    def __init__(self, told: LinkReport) -> None:
        self._told = told
        self._told_at_ms = 0

    def of(self, report: LinkReport, now_ms: int) -> tuple[LinkTold, ...]:
        """The report, if it is worth telling now; nothing otherwise."""
        told = self._told
        quiet = msgspec.structs.replace(
            report, tries=told.tries, heard_at_ms=told.heard_at_ms, figures=told.figures
        )
        is_soon = now_ms - self._told_at_ms < _EVERY_MS
        if report == told or (quiet == told and is_soon):
            return ()
        self._told, self._told_at_ms = report, now_ms
        return (LinkTold(report),)
