"""Ejected players for the publisher, whoever recorded the ejection."""

from msgspec.structs import replace

from base.growing_tuple import GrowingTuple
from core.editions.loader import edition
from core.game.state.game import Abandonment
from core.terms import SeatNo
from core.text.ejections import ejections, must_report, report_to_publisher
from core.text.sentence import English
from core.tournament.penalties import EjectPlayer, WithdrawPlayer
from tests.core.tournament.conftest import Judge

RULES = edition("championship-2022")


def test_only_ejected_players_are_reported_with_reason_and_warnings() -> None:
    judge = Judge(RULES).opens(10)
    first, second = (entrant.player for entrant in judge.state.entrants[:2])
    judge.does(EjectPlayer(first, "marked cards"))
    judge.does(WithdrawPlayer(second, "train"))
    (ejection,) = ejections(judge.state)
    assert ejection.reason == "marked cards"
    letter = report_to_publisher(judge.state, RULES, English()).letter(English())
    assert "To: organizedplay@dvgames.com" in letter
    assert "Reason: marked cards" in letter
    assert "train" not in letter


def test_an_ejection_that_only_the_table_recorded_is_reported_without_a_reason() -> None:
    judge = Judge(RULES).opens(10)
    drawn = judge.publishes()
    judge.accepts(drawn.tables[0])
    sheet = judge.state.rounds[0].sheets[0]
    left = replace(sheet.result, abandonments=(Abandonment(SeatNo(2), 0, ejected=True),))
    changed = replace(judge.state.rounds[0], sheets=GrowingTuple([replace(sheet, result=left)]))
    state = replace(judge.state, rounds=(changed,))
    (ejection,) = ejections(state)
    assert (ejection.round, ejection.table) == (1, drawn.tables[0].table)
    letter = report_to_publisher(state, RULES, English()).letter(English())
    assert "Reason: not recorded; please add it" in letter
    assert "During the game at table 1 (round 1)." in letter


def test_only_the_championships_ask_for_a_report() -> None:
    assert must_report(RULES)
    assert not must_report(edition("official-2003"))
    report = report_to_publisher(Judge(RULES).opens(10).state, RULES, English())
    assert "Nobody was ejected." in report.body
