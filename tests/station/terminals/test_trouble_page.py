"""A cloned or restored card: the alarm outlives a restart, both versions are told in words and exported."""

import json
from pathlib import Path

from sync.protocol.entry import TerminalId
from tests.station.browser import Browser
from tests.station.conftest import OPEN, Station
from tests.station.kept import KeptTerminal, unit

FORK = "the writer has fewer entries than it sent earlier (entry 3)"


def alarms(station: Station, terminal: TerminalId) -> str:
    return next(card.alarm for card in station.service.terminals() if card.terminal == terminal)


def rings(station: Station, terminal: TerminalId, problem: str) -> None:
    station.on_loop(lambda: station.switchboard.alarm(terminal, problem))
    station.settle()


def cloned(station: Station) -> KeptTerminal:
    """A table, and a clone of its card that went on otherwise."""
    station.opens(10)
    terminal = unit(station, 1)
    station.publishes()
    terminal.obeys()
    terminal.begins()
    clone = KeptTerminal(station, terminal.id, terminal.epoch)
    clone.entries = list(terminal.entries)
    clone.restarts()
    terminal.ends_turns(1)
    terminal.sends()
    clone.hits(3)
    assert len(station.receives(clone.entries)) == 1
    return terminal


def test_the_alarm_of_a_fork_outlives_a_restart_until_a_judge_has_seen_it(
    station: Station, tmp_path: Path
) -> None:
    terminal = station.terminal(1)
    rings(station, terminal.id, FORK)
    rings(station, terminal.id, FORK)
    assert len([e for e in station.store.entries_after() if e.entry.stream == "alarms/station"]) == 1
    station.close()
    again = Station(tmp_path)
    assert alarms(again, terminal.id) == FORK
    again.run(again.service.troubles.mark_terminal_seen(terminal.id, "Roy"))
    assert alarms(again, terminal.id) == ""
    rings(again, terminal.id, FORK)
    assert alarms(again, terminal.id) == ""
    again.close()
    third = Station(tmp_path)
    assert alarms(third, terminal.id) == ""
    third.close()


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
    station.run(station.service.troubles.mark_terminal_seen(terminal, "Roy"))
    rings(station, terminal, FORK.replace("3", "99"))
    assert alarms(station, terminal) == FORK.replace("3", "99")
