"""The pages of terminals with problems: journals, links, shared cables, locked keypads."""

import json
import re

import pytest

from core.game.orders import PinsLocked
from core.terms import RoundNo, TableNo
from station.accounts.permissions import AccountRole
from station.hall.alarms import problem_at
from station.hall.links import diagnose_link
from station.projections.cards import TerminalCard, TerminalLink
from station.store.changed_entries import FLIPPED
from station.store.game_index import RUN_CHANGED
from station.store.streams import BROKEN_CHAIN, OTHER_CONTENT
from station.terminals.text import alarm_words
from station.text.i18n import Words
from sync.link.counters import Counters, Tally, counters_from
from sync.ports.findings import Finding
from sync.protocol.entry import TerminalId
from sync.station.limits import TOO_MUCH
from tests.station.browser import Browser, logged_in_as
from tests.station.conftest import JUDGE, OPEN, Station
from tests.station.kept import KeptTerminal, kept_round, unit

FORK = "the writer has fewer entries than it sent earlier (entry 3)"


def rings(station: Station, terminal: TerminalId, problem: str) -> None:
    station.on_loop(lambda: station.switchboard.alarm(terminal, problem))
    station.settle()


def cloned(station: Station) -> KeptTerminal:
    """A table, and a clone of its card that has continued differently."""
    terminal = kept_round(station)
    clone = KeptTerminal(station, terminal.id, terminal.epoch)
    clone.entries = list(terminal.entries)
    clone.restarts()
    terminal.plays_turns()
    clone.hits(3)
    assert len(station.receives(clone.entries)) == 1
    return terminal


def test_the_alarm_of_a_fork_outlives_a_restart_until_a_judge_has_seen_it(station: Station) -> None:
    terminal = station.terminal(1)
    rings(station, terminal.id, FORK)
    rings(station, terminal.id, FORK)
    assert len([e for e in station.store.entries_after() if e.entry.stream == "alarms/station"]) == 1
    again = station.restarts()
    assert again.alarm(terminal.id) == FORK
    again.run(again.service.problems.mark_terminal_seen(terminal.id, "Roy"))
    assert again.alarm(terminal.id) == ""
    rings(again, terminal.id, FORK)
    assert again.alarm(terminal.id) == ""
    third = again.restarts()
    assert third.alarm(terminal.id) == ""


def test_both_versions_are_told_in_words_and_exported(station: Station, judge: Browser) -> None:
    terminal = cloned(station)
    page = judge.get("/judge/terminals/")
    here = f"/judge/terminals/{terminal.id}/trouble"
    assert here in page
    assert here in judge.get(f"/judge/t/{OPEN}/floor")
    text = judge.get(here)
    stored, _, received = text.partition("'s turn")[2].partition("</td>")
    assert "loses 1 life point" not in stored
    assert "loses 1 life point" in received
    (line,) = judge.get(f"{here}/export").splitlines()
    exported = json.loads(line)
    assert exported["seq"] == len(terminal.entries)
    assert exported["stored"] != exported["received"]
    judge.get(here)
    judge.post(f"{here}/seen")
    assert here not in judge.get("/judge/terminals/")
    assert "Export both versions" in judge.get(here)


def test_a_terminal_without_trouble_has_an_empty_page(station: Station, judge: Browser) -> None:
    terminal = station.terminal(1)
    assert "Nothing is wrong" in judge.get(f"/judge/terminals/{terminal.id}/trouble")


def test_a_terminal_that_disagrees_again_and_again_does_not_fill_the_log_with_alarms(
    station: Station,
) -> None:
    station.opens(10)
    terminal = unit(station, 1).id
    for number in range(30):
        rings(station, terminal, f"the writer has fewer entries than it sent earlier (entry {number})")
    waiting = [one for one in station.context.projections.raised.values() if one.terminal == terminal]
    assert len(waiting) == 20
    station.run(station.service.problems.mark_terminal_seen(terminal, "Roy"))
    rings(station, terminal, FORK.replace("3", "99"))
    assert station.alarm(terminal) == FORK.replace("3", "99")


def seen(good: int, bad: int) -> Counters:
    tally = Tally(frames_received=good, frames_invalid=bad, line_bytes_received=(good + bad) * 100)
    return counters_from(tally, is_up=True, payload=240, srtt_ms=20, rto_ms=90)


def card(link: TerminalLink, last_word_s: float | None = 1.0) -> TerminalCard:
    return TerminalCard(TerminalId("0" * 32), None, link, last_word_s, 0)


def test_a_link_is_told_in_one_finding() -> None:
    assert diagnose_link(card(TerminalLink.TCP), None).finding is Finding.LINK_WELL
    assert diagnose_link(card(TerminalLink.AWAY), None).finding is Finding.WENT_AWAY
    assert diagnose_link(card(TerminalLink.AWAY, None), None).finding is Finding.NEVER_HEARD
    for good, bad in ((100, 1), (5, 2)):
        assert diagnose_link(card(TerminalLink.SERIAL), seen(good, bad)).finding is Finding.LINK_WELL
    noisy = diagnose_link(card(TerminalLink.SERIAL), seen(90, 10))
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
        station.service.problems.link(TerminalId("ffff"))


def test_a_table_on_a_shared_cable_says_so_on_both_pages(station: Station, judge: Browser) -> None:
    terminal = station.running_round()
    station.on_loop(lambda: station.switchboard.link_changed(terminal.id, wire="bus"))
    for page in (judge.get("/judge/terminals"), judge.get(f"/judge/t/{OPEN}/floor")):
        assert "shared cable" in page
        assert "icons.svg#pair" in page


def test_a_shared_cable_that_is_not_well_is_told_of_until_it_is(station: Station, judge: Browser) -> None:
    def page_after(problem: str) -> str:
        station.on_loop(lambda: station.switchboard.bus_alarm("/dev/ttyUSB0", problem))
        return judge.get("/judge/terminals")

    assert "Shared cable" not in judge.get("/judge/terminals")
    page = page_after("a terminal is jamming the shared cable; suspects: 00112233")
    assert "Shared cable /dev/ttyUSB0:" in page
    assert "suspects: 00112233" in page
    assert "is jamming" not in page_after("no room for terminal 44")
    assert "Shared cable" not in page_after("")


ITALIAN = Words("it").gettext


@pytest.mark.parametrize(
    "noticed",
    [
        OTHER_CONTENT,
        BROKEN_CHAIN,
        FLIPPED,
        RUN_CHANGED,
        f"{TOO_MUCH} (entry 70000)",
        f"{OTHER_CONTENT} (entry 12)",
        "no room for terminal ab12: 32 are already on the shared cable",
        "ab12: probably jamming the shared cable: unplug it",
        problem_at(RoundNo(1), TableNo(2)),
        "sent data without being polled; ignored for 60 s",
    ],
)
def test_a_known_alarm_is_said_in_italian(noticed: str) -> None:
    said = alarm_words(noticed, ITALIAN)
    assert said != noticed
    assert "{" not in said
    names = re.compile(r"ab12|\b12\b")
    assert names.findall(said) == names.findall(noticed)


@pytest.mark.parametrize("noticed", ["", "step 4: {nobody} knows: this", "the other end said: (entry x)"])
def test_an_alarm_that_is_not_known_stays_as_it_was_noticed(noticed: str) -> None:
    assert alarm_words(noticed, ITALIAN) == noticed


def test_in_english_an_alarm_stays_as_it_was_noticed() -> None:
    noticed = f"{OTHER_CONTENT} (entry 12)"
    assert alarm_words(noticed, Words("en").gettext) == noticed


def test_a_lock_rings_until_a_judge_has_seen_it_and_then_the_next_one(station: Station) -> None:
    judge = logged_in_as(station, AccountRole.FLOOR_JUDGE)
    station.opens()
    terminal, other = station.terminal(2), station.terminal(1)
    station.publishes()
    terminal.reports(PinsLocked(5))
    assert station.alarm(terminal.id) == "5 wrong PINs have locked the keypad at table 2"
    assert station.alarm(other.id) == ""
    assert "5 wrong PINs have locked the keypad at table 2" in judge.get(f"/judge/t/{OPEN}/floor")
    page = judge.get(f"/judge/terminals/{terminal.id}/trouble")
    assert "Go to the table" in page
    assert "cloned" not in page
    terminal.reports(PinsLocked(10), PinsLocked(15))
    raised = station.context.projections.raised
    assert len(raised) == 1, "made-up reports fill no list"
    for rings in ("15 wrong PINs have locked the keypad at table 2", ""):
        station.run(station.service.problems.mark_terminal_seen(terminal.id, JUDGE))
        station.settle()
        assert station.alarm(terminal.id) == rings
    terminal.reports(PinsLocked(20))
    assert station.alarm(terminal.id) == "20 wrong PINs have locked the keypad at table 2"
    judge.close()
    again = station.restarts()
    assert again.alarm(terminal.id).startswith("20 wrong PINs")


def test_a_lock_that_was_entered_without_a_connection_rings_when_it_arrives(station: Station) -> None:
    station.opens()
    terminal = station.terminal(3)
    station.assigns(terminal.id, None)
    terminal.reports(PinsLocked(5))
    assert station.alarm(terminal.id) == "5 wrong PINs have locked the keypad at table –"
