"""A table's messages about its ending, and a game that is played again, on the station's pages."""

import msgspec
import pytest

from core.game.correction import CorrectLife
from core.game.ending.finished import FinishedGame
from core.game.ending.sheet import AgreeEnding, ConfirmSheet, DisputeEnding, WaiveAgreement
from core.game.orders import ConfirmFromStation
from core.game.play.eliminations import Eliminate
from core.game.play.wounds import LoseLife
from core.game.setup import RestartGame
from core.game.state.game import Cause, Confirmation
from core.terms import Role, RoundNo, SeatNo, TableNo
from core.tournament.sheets import AcceptSheet
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import Waivers
from station.projections.floor_cards import SheetState
from tests.station.browser import Browser, on_floor
from tests.station.conftest import OPEN, ScriptedTerminal, Station

TABLE = f"/judge/t/{OPEN}/tables/1/1"
ONE, TWO, THREE = SeatNo(1), SeatNo(2), SeatNo(3)


@pytest.fixture
def terminal(station: Station) -> ScriptedTerminal:
    station.opens(10, Waivers(rounds=1))
    station.publishes()
    terminal = station.terminal(1)
    terminal.seats()
    return terminal


def end(terminal: ScriptedTerminal) -> None:
    assert terminal.timeline is not None
    life = terminal.timeline.state.seats[0].life
    terminal.ask(*(LoseLife(ONE, 1) for _ in range(life)))
    terminal.ask(Eliminate(ONE, TWO, Role.SHERIFF, Cause.PLAYER))


def name(terminal: ScriptedTerminal, seat: SeatNo) -> str:
    assert terminal.timeline is not None
    return terminal.timeline.state.seats[seat - 1].name


def test_the_floor_and_the_table_name_who_disputes_until_it_is_settled(
    judge: Browser, terminal: ScriptedTerminal
) -> None:
    end(terminal)
    terminal.ask(AgreeEnding(ONE), DisputeEnding(THREE))
    terminal.sends()
    words = f"The ending is disputed by {name(terminal, THREE)}"
    for text in (on_floor(judge, OPEN, 1), judge.get(f"{TABLE}/")):
        assert words in text
        assert "the judge" in text
    terminal.ask(WaiveAgreement(THREE))
    terminal.sends()
    assert words not in on_floor(judge, OPEN, 1)
    assert f"The judge continues without {name(terminal, THREE)}" in judge.get(f"{TABLE}/")


def test_a_game_that_is_played_again_is_followed_to_its_sheet(
    judge: Browser, terminal: ScriptedTerminal, station: Station
) -> None:
    end(terminal)
    terminal.ask(RestartGame("the deal was wrong"))
    terminal.sends()
    assert "the deal was wrong" in judge.get(f"{TABLE}/")
    assert "Confirm the record sheet" not in judge.get(f"{TABLE}/")
    game = terminal.begins_again()
    terminal.ends()
    terminal.ask(ConfirmSheet(Confirmation.KEY))
    terminal.sends()
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
    terminal.ask(CorrectLife(TWO, 1, "a wrong button was touched"))
    terminal.sends()
    assert "a wrong button was touched" in judge.get(f"{TABLE}/")
