"""The rate of link reports for the screen."""

import msgspec

from sync.terminal.agent_contract import LinkPhase, LinkReport, LinkReported
from sync.terminal.delivery import LinkReportFilter

BEGUN = LinkReport(LinkPhase.SEARCHING)


def test_what_the_screen_shows_is_told_at_once_and_once() -> None:
    news = LinkReportFilter(BEGUN)
    connected = msgspec.structs.replace(BEGUN, phase=LinkPhase.CONNECTED, way="tcp")
    assert news.of(BEGUN, 0) == ()
    assert news.of(connected, 1) == (LinkReported(connected),)
    assert news.of(connected, 2) == ()


def test_what_only_counts_is_told_every_five_seconds() -> None:
    news = LinkReportFilter(BEGUN)
    first = msgspec.structs.replace(BEGUN, tries=1)
    assert news.of(first, 4_999) == ()
    assert news.of(first, 5_000) == (LinkReported(first),)
    second = msgspec.structs.replace(first, tries=2, heard_at_ms=9_000)
    assert news.of(second, 9_999) == ()
    assert news.of(second, 10_000) == (LinkReported(second),)
