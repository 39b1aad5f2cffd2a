"""A table whose keypad wrong PINs have locked rings at the judges."""

from pathlib import Path

from core.game.orders import PinsLocked
from station.accounts.permissions import AccountRole
from station.terminals.service import Terminals
from tests.station.browser import logged_in_as
from tests.station.conftest import JUDGE, OPEN, ScriptedTerminal, Station
from tests.station.messages.test_messages import reports


def alarm(station: Station, terminal: ScriptedTerminal) -> str:
    return next(one.alarm for one in station.service.terminals() if one.terminal == terminal.id)


def test_a_lock_rings_until_a_judge_has_seen_it_and_then_the_next_one(
    station: Station, tmp_path: Path
) -> None:
    judge = logged_in_as(station, AccountRole.FLOOR_JUDGE)
    station.opens()
    terminal, other = station.terminal(2), station.terminal(1)
    station.publishes()
    reports(terminal, PinsLocked(5))
    assert alarm(station, terminal) == "5 wrong PINs have locked the keypad at table 2"
    assert alarm(station, other) == ""
    assert "5 wrong PINs have locked the keypad at table 2" in judge.get(f"/judge/t/{OPEN}/floor")
    page = judge.get(f"/judge/terminals/{terminal.id}/trouble")
    assert "Go to the table" in page
    assert "cloned" not in page
    reports(terminal, PinsLocked(10), PinsLocked(15))
    raised = station.context.projections.raised
    assert len(raised) == 1, "made-up reports fill no list"
    for rings in ("15 wrong PINs have locked the keypad at table 2", ""):
        station.run(station.service.troubles.mark_terminal_seen(terminal.id, JUDGE))
        station.settle()
        assert alarm(station, terminal) == rings
    reports(terminal, PinsLocked(20))
    assert alarm(station, terminal) == "20 wrong PINs have locked the keypad at table 2"
    judge.close()
    station.close()
    again = Station(tmp_path)
    assert alarm(again, terminal).startswith("20 wrong PINs")
    again.close()


def test_a_lock_that_was_entered_without_a_connection_rings_when_it_arrives(station: Station) -> None:
    station.opens()
    terminal = station.terminal(3)
    station.run(station.service.of(Terminals).assign(terminal.id, None, JUDGE))
    reports(terminal, PinsLocked(5))
    assert alarm(station, terminal) == "5 wrong PINs have locked the keypad at table –"
