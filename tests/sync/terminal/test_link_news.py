"""How often the screen hears of its link."""

import msgspec

from saloon.sync.terminal.agent_contract import LinkPhase, LinkReport, LinkTold
from saloon.sync.terminal.delivery import LinkNews

BEGUN = LinkReport(LinkPhase.SEARCHING)


def test_what_the_screen_shows_is_told_at_once_and_once() -> None:
    news = LinkNews(BEGUN)
    connected = msgspec.structs.replace(BEGUN, phase=LinkPhase.CONNECTED, way="tcp")
    assert news.of(BEGUN, 0) == ()
    assert news.of(connected, 1) == (LinkTold(connected),)
    assert news.of(connected, 2) == ()


def test_what_only_counts_is_told_every_five_seconds() -> None:
    news = LinkNews(BEGUN)
    first = msgspec.structs.replace(BEGUN, tries=1)
    assert news.of(first, 4_999) == ()
    assert news.of(first, 5_000) == (LinkTold(first),)
    second = msgspec.structs.replace(first, tries=2, heard_at_ms=9_000)
    assert news.of(second, 9_999) == ()
    assert news.of(second, 10_000) == (LinkTold(second),)
