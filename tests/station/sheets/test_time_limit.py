"""A game whose time is over, at the table and on paper."""

import pytest

from core.editions.readings import TimeLimit
from core.game.ending.finished import FinishedGame
from core.game.orders import CallTime
from core.terms import Ending
from core.tournament.state.tournament import Waivers
from tests.station.browser import Browser
from tests.station.conftest import OPEN, ScriptedTerminal, Station

TABLE = f"/judge/t/{OPEN}/tables/1/1"
ROLES = {"role-2": "outlaw", "role-3": "deputy", "role-4": "outlaw", "role-5": "renegade"}


@pytest.fixture
def terminal(station: Station) -> ScriptedTerminal:
    station.opens(10, Waivers(rounds=1, time_limit_min=60))
    station.publishes()
    terminal = station.terminal(1)
    terminal.seats()
    terminal.sends()
    return terminal


def test_the_judge_chooses_what_follows_and_the_reading_is_proposed(
    judge: Browser, terminal: ScriptedTerminal
) -> None:
    page = judge.get(f"{TABLE}/")
    assert 'value="no_winner" checked' in page
    judge.send(f"{TABLE}/time", {"how": "high_noon", "reason": "the hall closes"})
    assert terminal.ordered(CallTime)[-1].how is TimeLimit.HIGH_NOON


def test_a_ruling_needs_an_ending_and_a_reason(judge: Browser, terminal: ScriptedTerminal) -> None:
    judge.get(f"{TABLE}/")
    assert "notice bad" in judge.send(f"{TABLE}/time", {"how": "judge", "ending": "law_wins", "reason": " "})
    assert "notice bad" in judge.send(f"{TABLE}/time", {"how": "judge", "reason": "all saw it"})
    assert "That action doesn't exist." in judge.send(f"{TABLE}/time", {"how": "coin"})
    assert terminal.ordered(CallTime) == []
    judge.send(f"{TABLE}/time", {"how": "judge", "ending": "law_wins", "reason": "all saw it"})
    order = terminal.ordered(CallTime)[-1]
    assert (order.ending, order.reason) == (Ending.LAW_WINS, "all saw it")


def test_a_ruling_from_paper_is_kept_with_its_reason(
    station: Station, judge: Browser, terminal: ScriptedTerminal
) -> None:
    assert terminal.timeline is not None
    judge.get(f"{TABLE}/sheet")
    ruled = {**ROLES, "ruled-ending": "law_wins"}
    assert "Give a reason for your ruling" in judge.send(f"{TABLE}/sheet", ruled, 422)
    assert "That ruling doesn't exist." in judge.send(
        f"{TABLE}/sheet", {**ruled, "ruled-ending": "draw", "ruled": "why not"}, 422
    )
    judge.send(f"{TABLE}/sheet/confirm", {**ruled, "ruled": "the hall closed"})
    result = station.service.tournament(OPEN).rounds[0].sheets[0].result
    assert isinstance(result, FinishedGame)
    assert (result.ending, result.ruled) == (Ending.LAW_WINS, "the hall closed")
    assert "the hall closed" in judge.get(f"{TABLE}/")
