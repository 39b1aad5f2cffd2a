"""The pages that name what taking a draw back would lose, and show what was lost."""

import re

from core.game.ending.sheet import VoidGame
from core.game.events import GameStep
from core.game.play.turns import EndTurn
from core.terms import PlayerId
from core.tournament.penalties import WithdrawPlayer
from tests.station.browser import Browser
from tests.station.conftest import OPEN, Station

HERE = f"/judge/t/{OPEN}"


def test_each_game_is_ticked_and_can_be_read_afterwards(judge: Browser, station: Station) -> None:
    station.opens(10)
    terminal = station.terminal(1)
    station.publishes()
    game = terminal.seats()
    terminal.ask(EndTurn())
    terminal.sends()
    judge.get(f"{HERE}/history")
    undo = {"steps": "1", "reason": "wrong list"}
    assert "would void the games at these tables: 1." in judge.send(f"{HERE}/undo", undo)
    page = judge.send(f"{HERE}/undo/what-if", undo)
    assert "1 game would be voided" in page
    assert "Void the game at table 1</strong> · turn 2" in page
    assert "No dollar amounts or ranks would change." not in page
    page = judge.send(f"{HERE}/undo", {**undo, f"void-{game}": "yes"})
    assert "Game at table 1 voided" in page
    terminal.writes(GameStep(game, (VoidGame("The draw was taken back."),), 3, 3))
    terminal.sends()
    page = judge.get(f"{HERE}/voided/{game}")
    assert "Players seated" in page
    assert "The draw was taken back." in page
    assert judge.status(f"{HERE}/voided/another").status_code == 404
    assert "partita" in judge.get(f"{HERE}/voided/{game}", "it")


def test_a_change_that_voids_nothing_says_so_as_before(judge: Browser, station: Station) -> None:
    station.opens(10)
    station.publishes()
    judge.get(f"{HERE}/history")
    page = judge.send(f"{HERE}/undo/what-if", {"steps": "1", "reason": "wrong list"})
    assert "would be void" not in page
    assert "No dollar amounts or ranks would change." in page


def test_an_old_page_does_not_undo_a_step_that_came_after_it(judge: Browser, station: Station) -> None:
    station.opens(10)
    seen = re.findall(r'name="seen" value="(\d+)"', judge.get(f"{HERE}/history"))[0]
    old = {"steps": "1", "seen": seen, "reason": "wrong list"}
    preview = judge.send(f"{HERE}/undo/what-if", {"steps": "1", "reason": "wrong list"})
    assert f'name="seen" value="{seen}"' in preview
    station.does(WithdrawPlayer(PlayerId("p001"), "ill"), "Ada")
    judge.get(f"{HERE}/history")
    assert "Ada added a step to the history after you looked" in judge.send(f"{HERE}/undo/what-if", old)
    judge.get(f"{HERE}/history")
    assert "Ada added a step to the history after you looked" in judge.send(f"{HERE}/undo", old)
    assert station.service.tournament(OPEN).entrant(PlayerId("p001")).is_out  # type: ignore[union-attr]
    # Two presses of one button undo one step.
    now = {**old, "seen": re.findall(r'name="seen" value="(\d+)"', judge.get(f"{HERE}/history"))[0]}
    judge.send(f"{HERE}/undo", now)
    judge.send(f"{HERE}/undo", now)
    assert len(station.service.tournament(OPEN).entrants) == 10


def test_a_result_from_paper_says_that_it_ends_the_game_at_the_terminal(
    judge: Browser, station: Station
) -> None:
    station.opens(10)
    terminal = station.terminal(1)
    station.publishes()
    terminal.seats()
    terminal.sends()
    typed = {"role-1": "sheriff", "role-2": "outlaw", "role-3": "deputy", "role-4": "outlaw"}
    typed |= {"role-5": "renegade", "out-1": "1", "by-1": "2"}
    for table, is_warned in ((1, True), (2, False)):
        judge.get(f"{HERE}/tables/1/{table}/sheet")
        page = judge.send(f"{HERE}/tables/1/{table}/sheet", typed)
        assert ("is in the middle of this game" in page) is is_warned
        assert ('name="end-there" value="yes" required' in page) is is_warned
