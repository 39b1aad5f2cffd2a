"""The page of a terminal's link: words first, then counters."""

import pytest

from station.hall.troubles import link_look
from station.projections.terminal_cards import TerminalCard, TerminalLink
from sync.link.counters import Counters, Tally, counters_from
from sync.ports.findings import Finding
from sync.protocol.entry import TerminalId
from tests.station.browser import Browser
from tests.station.conftest import Station


def seen(good: int, bad: int) -> Counters:
    tally = Tally(frames_received=good, frames_invalid=bad, bytes_received=(good + bad) * 100)
    return counters_from(tally, is_up=True, payload=240, srtt_ms=20, rto_ms=90)


def card(link: TerminalLink, last_word_s: float | None = 1.0) -> TerminalCard:
    return TerminalCard(TerminalId("0" * 32), None, link, last_word_s, 0)


def test_a_link_is_told_in_one_finding() -> None:
    assert link_look(card(TerminalLink.TCP), None).finding is Finding.LINK_WELL
    assert link_look(card(TerminalLink.AWAY), None).finding is Finding.WENT_AWAY
    assert link_look(card(TerminalLink.AWAY, None), None).finding is Finding.NEVER_HEARD
    assert link_look(card(TerminalLink.SERIAL), seen(100, 1)).finding is Finding.LINK_WELL
    assert link_look(card(TerminalLink.SERIAL), seen(5, 2)).finding is Finding.LINK_WELL
    noisy = link_look(card(TerminalLink.SERIAL), seen(90, 10))
    assert (noisy.finding, noisy.fields) == (Finding.NOISE, {"share": 10})


def test_the_judge_opens_the_link_of_a_terminal_from_the_list(station: Station, judge: Browser) -> None:
    terminal = station.terminal(3)
    here = f"/judge/terminals/{terminal.id}/link"
    assert here in judge.get("/judge/terminals")
    assert "The connection is good." in judge.get(here)
    station.disconnects(terminal.id)
    station.clock.passed_ms += 70_000
    page = judge.get(here)
    assert "The terminal is disconnected" in page
    assert 'data-age="70.0"' in page


def test_an_unknown_terminal_has_no_link(station: Station) -> None:
    with pytest.raises(KeyError):
        station.service.troubles.link(TerminalId("ffff"))
