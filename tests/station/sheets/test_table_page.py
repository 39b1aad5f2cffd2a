"""A table on the station's pages: messages about its ending, a game whose time is over, its life points."""

from itertools import pairwise

import msgspec
import pytest

from core.editions.readings import TimeLimit
from core.game.correction import CorrectLife
from core.game.ending.finished_game import FinishedGame
from core.game.ending.sheet import AgreeEnding, ConfirmSheet, DisputeEnding, WaiveAgreement
from core.game.orders import CallTime, ConfirmFromStation
from core.game.play.eliminations import Eliminate
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife
from core.game.setup import RestartGame
from core.game.state.game import Cause, Confirmation
from core.terms import Ending, Role, RoundNo, SeatNo, TableNo
from core.tournament.sheets import AcceptSheet
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import Waivers
from station.projections.cards import SheetState
from station.sheets.life_chart import LifeChart, life_chart
from tests.station.browser import Browser, on_floor
from tests.station.conftest import OPEN, ScriptedTerminal, Station

TABLE = f"/judge/t/{OPEN}/tables/1/1"
ROLES = {"role-2": "outlaw", "role-3": "deputy", "role-4": "outlaw", "role-5": "renegade"}
ONE, TWO, THREE = SeatNo(1), SeatNo(2), SeatNo(3)


@pytest.fixture
def terminal(station: Station) -> ScriptedTerminal:
    station.opens(10, Waivers(rounds=1, time_limit_min=60))
    station.publishes()
    terminal = station.terminal(1)
    terminal.seats()
    terminal.sends()
    return terminal


def end(terminal: ScriptedTerminal) -> None:
    life = terminal.state.seats[0].life
    terminal.ask(*(LoseLife(ONE, 1) for _ in range(life)))
    terminal.ask(Eliminate(ONE, TWO, Role.SHERIFF, Cause.PLAYER))


def name(terminal: ScriptedTerminal, seat: SeatNo) -> str:
    return terminal.state.seats[seat - 1].name


def test_the_floor_and_the_table_name_who_disputes_until_it_is_settled(
    judge: Browser, terminal: ScriptedTerminal
) -> None:
    end(terminal)
    terminal.tells(AgreeEnding(ONE), DisputeEnding(THREE))
    words = f"The ending is disputed by {name(terminal, THREE)}"
    for text in (on_floor(judge, OPEN, 1), judge.get(f"{TABLE}/")):
        assert words in text
        assert "the judge" in text
    terminal.tells(WaiveAgreement(THREE))
    assert words not in on_floor(judge, OPEN, 1)
    assert f"The judge continues without {name(terminal, THREE)}" in judge.get(f"{TABLE}/")


def test_a_game_that_is_played_again_is_followed_to_its_sheet(
    judge: Browser, terminal: ScriptedTerminal, station: Station
) -> None:
    end(terminal)
    terminal.tells(RestartGame("the deal was wrong"))
    assert "the deal was wrong" in judge.get(f"{TABLE}/")
    assert "Confirm the record sheet" not in judge.get(f"{TABLE}/")
    game = terminal.begins_again()
    terminal.ends()
    terminal.tells(ConfirmSheet(Confirmation.KEY))
    card = station.service.card(OPEN, RoundNo(1), TableNo(1))
    assert (card.game_id, card.sheet) == (game, SheetState.ACCEPTED)


@pytest.mark.parametrize("is_corrected", [False, True])
def test_a_sheet_confirmed_at_the_station_tells_the_table_whether_its_result_holds(
    terminal: ScriptedTerminal, station: Station, *, is_corrected: bool
) -> None:
    terminal.ends()
    terminal.sends()
    result = station.service.card(OPEN, RoundNo(1), TableNo(1)).reported
    assert isinstance(result, FinishedGame)
    if is_corrected:
        (out,) = result.eliminations
        by_three = msgspec.structs.replace(out, by=THREE)
        result = msgspec.structs.replace(result, eliminations=(by_three,))
    station.does(AcceptSheet(terminal.state.game, result, Source.PAPER))
    assert terminal.orders[-1] == ConfirmFromStation(terminal.state.game, is_corrected=is_corrected)


def test_a_correction_at_the_table_stands_in_the_story(judge: Browser, terminal: ScriptedTerminal) -> None:
    terminal.tells(CorrectLife(TWO, 1, "a wrong button was touched"))
    assert "a wrong button was touched" in judge.get(f"{TABLE}/")


def test_the_judge_chooses_what_follows_and_the_reading_is_proposed(
    judge: Browser, terminal: ScriptedTerminal
) -> None:
    assert 'value="no_winner" checked' in judge.get(f"{TABLE}/")
    judge.send(f"{TABLE}/time", {"how": "high_noon", "reason": "the hall closes"})
    assert terminal.ordered(CallTime)[-1].how is TimeLimit.HIGH_NOON


def test_a_ruling_needs_an_ending_and_a_reason(judge: Browser, terminal: ScriptedTerminal) -> None:
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


def chart_of(terminal: ScriptedTerminal) -> LifeChart | None:
    terminal.sends()
    return life_chart([timed.step for timed in terminal.station.service.story(terminal.state.game)])


def drawn(terminal: ScriptedTerminal) -> LifeChart:
    chart = chart_of(terminal)
    assert chart is not None
    return chart


def test_a_game_has_a_line_for_each_seat_and_a_mark_for_each_reshuffle(terminal: ScriptedTerminal) -> None:
    """There is none before the second turn; High Noon is shaded from its first turn."""
    assert chart_of(terminal) is life_chart([]) is None
    terminal.ask(EndTurn(), LoseLife(SeatNo(2), 2), Reshuffle(), EndTurn(), EndTurn())
    chart = drawn(terminal)
    assert (chart.turns, chart.noon_x) == (4, None)
    assert [(line.seat, len(line.points.split())) for line in chart.lines] == [(n, 4) for n in range(1, 6)]
    assert [tick.number for tick in chart.reshuffles] == [1]
    heights = [float(point.split(",")[1]) for point in chart.lines[1].points.split()]
    assert heights[1] > heights[0]
    assert all(chart.top - 20 <= height <= chart.bottom for height in heights)
    terminal.ask(Reshuffle(), Reshuffle(), *(EndTurn() for _ in range(3)))
    later = drawn(terminal)
    assert later.noon_x is not None
    assert later.left < later.noon_x <= later.right


def test_numbers_at_the_ends_of_lines_are_apart_and_high_noon_stays_in_the_picture(
    terminal: ScriptedTerminal,
) -> None:
    terminal.ask(*(EndTurn() for _ in range(19)), *(Reshuffle() for _ in range(3)))
    terminal.ask(*(EndTurn() for _ in range(2)))
    chart = drawn(terminal)
    labels = sorted(line.label_y for line in chart.lines)
    assert all(below - above >= 14 for above, below in pairwise(labels))
    assert all(chart.top - 20 <= label <= chart.bottom for label in labels)
    assert chart.noon_x is not None
    assert chart.noon_anchor == "end"
    assert [tick.is_near for tick in chart.reshuffles] == [False]
