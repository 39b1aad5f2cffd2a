"""Warnings and ejections on the pages, and those that a judge gave at a table."""

import pytest

from core.game.decide import GameCommand
from core.game.ending.judge_calls import WarnPlayer as WarnAtTable
from core.game.ending.sheet import ConfirmSheet
from core.game.events import GameStep, StepOrigin
from core.game.orders import SeatGame, WithdrawSeat
from core.game.play.abandonment import Abandon
from core.game.play.turns import EndTurn
from core.game.state.game import Confirmation
from core.game.state.offences import Offence
from core.terms import PlayerId, SeatNo
from core.tournament.decisions import UndoSteps
from core.tournament.penalties import EjectPlayer, WarnPlayer, WithdrawPlayer
from core.tournament.state.tournament import Entrant
from tests.station.browser import Browser, shows
from tests.station.conftest import OPEN, ScriptedTerminal, Station

BASE = f"/judge/t/{OPEN}"
SLOW = {"offence": "slow-play", "reason": "five minutes a turn"}


@pytest.fixture(autouse=True)
def _opened(station: Station) -> None:
    station.opens(10)


def entrant(station: Station, player: str) -> Entrant:
    row = station.service.tournament(OPEN).entrant(PlayerId(player))
    assert row is not None
    return row


def test_a_warning_needs_a_category_and_a_reason(judge: Browser) -> None:
    page = judge.get(f"{BASE}/players/p001/penalty")
    shows(page, "No warnings so far.", "Slow play (Championship 2022/23 v1.4, 2)")
    assert "Choose a category" in judge.send(f"{BASE}/players/p001/warn", {"reason": "slow"})
    assert "Please give a reason" in judge.send(f"{BASE}/players/p001/warn", {**SLOW, "reason": " "})
    page = judge.send(f"{BASE}/players/p001/warn", SLOW)
    shows(page, "The warning has been recorded.", "Slow play: five minutes a turn")
    assert "warned: five minutes a turn (Slow play)" in judge.get(f"{BASE}/history")
    assert "Gioco lento" in judge.get(f"{BASE}/players", "it")


def test_a_second_warning_ejects_after_a_page_that_says_so(judge: Browser, station: Station) -> None:
    station.does(WarnPlayer(PlayerId("p001"), "slow", offence=Offence.SLOW_PLAY))
    page = judge.get(f"{BASE}/players/p001/penalty")
    shows(page, "slow – Slow play (Championship 2022/23 v1.4, 2)", "Warn again and eject")
    swore = {"offence": "swearing", "reason": "swore"}
    page = judge.send(f"{BASE}/players/p001/warn", swore)
    shows(page, "This is the second warning: Player 1 will be ejected.", "Nothing has happened yet.")
    assert not entrant(station, "p001").is_out
    judge.send(f"{BASE}/players/p001/warn", {**swore, "ejects": "yes"})
    assert entrant(station, "p001").ejected
    assert entrant(station, "p001").out_offence is Offence.SWEARING


def test_an_ejection_shows_its_consequences_first_and_needs_a_category(
    judge: Browser,
) -> None:
    judge.get(f"{BASE}/players/p001/penalty")
    cheated = {"offence": "cheating", "reason": "marked cards"}
    assert "Eject Player 1 from the tournament?" in judge.send(f"{BASE}/players/p001/eject/what-if", cheated)
    assert "Choose a category" in judge.send(f"{BASE}/players/p001/eject", {"reason": "marked cards"})
    assert "Cheating: marked cards" in judge.send(f"{BASE}/players/p001/eject", cheated)
    assert "has been ejected: marked cards" in judge.get(f"{BASE}/players/p001/penalty")
    assert judge.status(f"{BASE}/players/nobody/penalty").status_code == 404


def test_the_table_page_leads_there_and_back(judge: Browser, station: Station) -> None:
    round_ = station.publishes()
    player = round_.tables[0].players[1]
    assert f"/players/{player}/penalty?at=1/1" in judge.get(f"{BASE}/tables/1/1/")
    assert 'name="at" value="1/1"' in judge.get(f"{BASE}/players/{player}/penalty?at=1/1")
    page = judge.send(f"{BASE}/players/{player}/warn", {**SLOW, "at": "1/1"})
    shows(page, "Round 1 · Table 1", "The warning has been recorded.")
    assert 'value="//elsewhere"' not in judge.get(f"{BASE}/players/{player}/penalty?at=//elsewhere")


def test_the_report_can_be_mailed_copied_downloaded_and_printed(judge: Browser, station: Station) -> None:
    assert "Nobody was ejected." in judge.get(f"{BASE}/players/ejected")
    for word, offence in (("slow", Offence.SLOW_PLAY), ("swore", Offence.SWEARING)):
        station.does(WarnPlayer(PlayerId("p002"), word, offence=offence))
    station.does(EjectPlayer(PlayerId("p001"), "marked & bent cards", offence=Offence.CHEATING))
    station.does(WithdrawPlayer(PlayerId("p003"), "train"))
    assert f'href="{BASE}/players/ejected"' in judge.get(f"{BASE}/players")
    page = judge.get(f"{BASE}/players/ejected")
    assert "Category: Cheating (Championship 2022/23 v1.4, 2)" in page
    assert 'href="mailto:organizedplay@dvgames.com?subject=Players%20ejected%20from%20Open' in page
    assert "marked%20%26%20bent%20cards" in page
    assert 'data-copy="report"' in page
    assert "Print or save as PDF" in page
    text = judge.status(f"{BASE}/players/ejected.txt").text
    assert text.startswith("To: organizedplay@dvgames.com\n")
    ejections = ("Reason: swore", "Warning: slow", "Reason: marked & bent cards")
    shows(text, *ejections, "BANG! Championship", never="train")
    assert text.count("\n- ") == 2


def seated(station: Station) -> tuple[ScriptedTerminal, PlayerId]:
    terminal = station.terminal(1)
    drawn = station.publishes().tables[0]
    terminal.seats()
    return terminal, drawn.players[1]


def warning() -> WarnAtTable:
    return WarnAtTable(SeatNo(2), Offence.SLOW_PLAY, "five minutes a turn")


def reports(terminal: ScriptedTerminal, *commands: GameCommand) -> None:
    terminal.tells(*commands)
    terminal.station.settle()


def test_a_warning_at_the_table_becomes_the_tournaments_exactly_once(
    judge: Browser, station: Station
) -> None:
    terminal, player = seated(station)
    reports(terminal, warning())
    (entry,) = entrant(station, player).warnings
    assert (entry.reason, entry.offence, entry.round) == ("five minutes a turn", Offence.SLOW_PLAY, 1)
    reports(terminal, EndTurn())
    assert len(entrant(station, player).warnings) == 1
    assert "terminal of table 1, judge's menu" in judge.get(f"{BASE}/history")
    assert "The judge warns" in judge.get(f"{BASE}/tables/1/1/")
    # A judge who takes it back does not get it again.
    station.does(UndoSteps(1, "the wrong player"))
    reports(terminal, EndTurn())
    assert entrant(station, player).warnings == ()


def test_a_second_warning_at_the_table_ejects_and_the_table_hears_of_it(station: Station) -> None:
    terminal, player = seated(station)
    station.does(WarnPlayer(player, "swore", offence=Offence.SWEARING))
    reports(terminal, warning())
    assert entrant(station, player).ejected
    (order,) = terminal.ordered(WithdrawSeat)
    assert (order.seat, order.ejected) == (2, True)


def test_a_terminal_knows_the_warnings_of_the_players_it_seats(station: Station) -> None:
    station.does(WarnPlayer(PlayerId("p001"), "swore", offence=Offence.SWEARING))
    terminals = [station.terminal(1), station.terminal(2)]
    station.publishes()
    seats = [seat for terminal in terminals for seat in terminal.ordered(SeatGame)[0].seating.seats]
    assert {seat.player: seat.warnings for seat in seats}[PlayerId("p001")] == 1
    assert sum(seat.warnings for seat in seats) == 1


def test_a_copy_of_a_warning_at_a_spare_counts_once(station: Station) -> None:
    terminal, player = seated(station)
    reports(terminal, warning())
    origin = StepOrigin(terminal.id, terminal.epoch, len(terminal.entries))
    terminal.writes(GameStep(terminal.steps[-1].game, (warning(),), origin=origin))
    reports(terminal)
    assert len(entrant(station, player).warnings) == 1


def test_the_reason_of_an_ejection_at_the_table_is_proposed_to_the_judge(
    judge: Browser, station: Station
) -> None:
    terminal, _ = seated(station)
    terminal.ask(Abandon(SeatNo(3), ejected=True, offence=Offence.CHEATING, reason="marked cards"))
    terminal.ends()
    terminal.tells(ConfirmSheet(Confirmation.PIN))
    assert "The judge ejects" in judge.get(f"{BASE}/tables/1/1/")
    page = judge.get(BASE)
    shows(page, "was ejected at table 1 in Round 1", 'value="cheating" selected', 'value="marked cards"')
