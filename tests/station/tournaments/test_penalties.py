"""Warnings and ejections on the pages, and those that a judge gave at a table."""

from core.game.ending import judge_calls
from core.game.ending.sheet import ConfirmSheet
from core.game.events import GameStep, StepOrigin
from core.game.orders import SeatGame, WithdrawSeat
from core.game.play.abandonment import Abandon
from core.game.play.turns import EndTurn
from core.game.state.game import Confirmation
from core.game.state.offences import Offence
from core.terms import PlayerId, SeatNo
from core.tournament.decisions import UndoSteps
from core.tournament.penalties import EjectPlayer, WarnPlayer
from core.tournament.state.tournament import Entrant
from tests.station.browser import Browser
from tests.station.conftest import OPEN, ScriptedTerminal, Station

BASE = f"/judge/t/{OPEN}"
SLOW = {"offence": "slow-play", "reason": "five minutes a turn"}


def entrant(station: Station, player: str) -> Entrant:
    row = station.service.tournament(OPEN).entrant(PlayerId(player))
    assert row is not None
    return row


def test_a_warning_needs_a_category_and_a_reason(judge: Browser, station: Station) -> None:
    station.opens(10)
    page = judge.get(f"{BASE}/players/p001/penalty")
    assert "No warnings so far." in page
    assert "Slow play (Championship 2022/23 v1.4, 2)" in page
    assert "Choose a category" in judge.send(f"{BASE}/players/p001/warn", {"reason": "slow"})
    assert "Please give a reason" in judge.send(f"{BASE}/players/p001/warn", {**SLOW, "reason": " "})
    page = judge.send(f"{BASE}/players/p001/warn", SLOW)
    assert "The warning has been recorded." in page
    assert "Slow play: five minutes a turn" in page
    assert "warned: five minutes a turn (Slow play)" in judge.get(f"{BASE}/history")
    assert "Gioco lento" in judge.get(f"{BASE}/players", "it")


def test_a_second_warning_ejects_after_a_page_that_says_so(judge: Browser, station: Station) -> None:
    station.opens(10)
    station.does(WarnPlayer(PlayerId("p001"), "slow", offence=Offence.SLOW_PLAY))
    page = judge.get(f"{BASE}/players/p001/penalty")
    assert "slow – Slow play (Championship 2022/23 v1.4, 2)" in page
    assert "Warn again and eject" in page
    swore = {"offence": "swearing", "reason": "swore"}
    page = judge.send(f"{BASE}/players/p001/warn", swore)
    assert "This is the second warning: Player 1 will be ejected." in page
    assert "Nothing has happened yet." in page
    assert not entrant(station, "p001").is_out
    page = judge.send(f"{BASE}/players/p001/warn", {**swore, "ejects": "yes"})
    assert entrant(station, "p001").ejected
    assert entrant(station, "p001").out_offence is Offence.SWEARING


def test_an_ejection_shows_its_consequences_first_and_needs_a_category(
    judge: Browser, station: Station
) -> None:
    station.opens(10)
    judge.get(f"{BASE}/players/p001/penalty")
    cheated = {"offence": "cheating", "reason": "marked cards"}
    assert "Eject Player 1 from the tournament?" in judge.send(f"{BASE}/players/p001/eject/what-if", cheated)
    assert "Choose a category" in judge.send(f"{BASE}/players/p001/eject", {"reason": "marked cards"})
    page = judge.send(f"{BASE}/players/p001/eject", cheated)
    assert "Cheating: marked cards" in page
    assert "has been ejected: marked cards" in judge.get(f"{BASE}/players/p001/penalty")
    assert judge.status(f"{BASE}/players/nobody/penalty").status_code == 404


def test_the_table_page_leads_there_and_back(judge: Browser, station: Station) -> None:
    station.opens(10)
    round_ = station.publishes()
    player = round_.tables[0].players[1]
    assert f"/players/{player}/penalty?at=1/1" in judge.get(f"{BASE}/tables/1/1/")
    page = judge.get(f"{BASE}/players/{player}/penalty?at=1/1")
    assert 'name="at" value="1/1"' in page
    page = judge.send(f"{BASE}/players/{player}/warn", {**SLOW, "at": "1/1"})
    assert "Round 1 · Table 1" in page
    assert "The warning has been recorded." in page
    assert 'value="//elsewhere"' not in judge.get(f"{BASE}/players/{player}/penalty?at=//elsewhere")


def test_the_report_can_be_mailed_copied_downloaded_and_printed(judge: Browser, station: Station) -> None:
    station.opens(10)
    station.does(EjectPlayer(PlayerId("p001"), "marked & bent cards", offence=Offence.CHEATING))
    page = judge.get(f"{BASE}/players/ejected")
    assert "Category: Cheating (Championship 2022/23 v1.4, 2)" in page
    assert 'href="mailto:organizedplay@dvgames.com?subject=Players%20ejected%20from%20Open' in page
    assert "marked%20%26%20bent%20cards" in page
    assert 'data-copy="report"' in page
    assert "Print or save as PDF" in page


def seated(station: Station) -> tuple[ScriptedTerminal, PlayerId]:
    terminal = station.terminal(1)
    drawn = station.publishes().tables[0]
    terminal.seats()
    return terminal, drawn.players[1]


def warning(reason: str = "five minutes a turn") -> judge_calls.WarnPlayer:
    return judge_calls.WarnPlayer(SeatNo(2), Offence.SLOW_PLAY, reason)


def test_a_warning_at_the_table_becomes_the_tournaments_exactly_once(
    judge: Browser, station: Station
) -> None:
    station.opens(10)
    terminal, player = seated(station)
    terminal.ask(warning())
    terminal.sends()
    station.settle()
    (entry,) = entrant(station, player).warnings
    assert (entry.reason, entry.offence, entry.round) == ("five minutes a turn", Offence.SLOW_PLAY, 1)
    terminal.ask(EndTurn())
    terminal.sends()
    station.settle()
    assert len(entrant(station, player).warnings) == 1
    history = judge.get(f"{BASE}/history")
    assert "terminal of table 1, judge's menu" in history
    assert "The judge warns" in judge.get(f"{BASE}/tables/1/1/")
    # A judge who takes it back does not get it again.
    station.does(UndoSteps(1, "the wrong player"))
    terminal.ask(EndTurn())
    terminal.sends()
    station.settle()
    assert entrant(station, player).warnings == ()


def test_a_second_warning_at_the_table_ejects_and_the_table_hears_of_it(station: Station) -> None:
    station.opens(10)
    terminal, player = seated(station)
    station.does(WarnPlayer(player, "swore", offence=Offence.SWEARING))
    terminal.ask(warning())
    terminal.sends()
    station.settle()
    assert entrant(station, player).ejected
    (order,) = terminal.ordered(WithdrawSeat)
    assert (order.seat, order.ejected) == (2, True)


def test_a_terminal_knows_the_warnings_of_the_players_it_seats(station: Station) -> None:
    station.opens(10)
    station.does(WarnPlayer(PlayerId("p001"), "swore", offence=Offence.SWEARING))
    terminals = [station.terminal(1), station.terminal(2)]
    station.publishes()
    seats = [seat for terminal in terminals for seat in terminal.ordered(SeatGame)[0].seating.seats]
    assert {seat.player: seat.warnings for seat in seats}[PlayerId("p001")] == 1
    assert sum(seat.warnings for seat in seats) == 1


def test_a_copy_of_a_warning_at_a_spare_counts_once(station: Station) -> None:
    station.opens(10)
    terminal, player = seated(station)
    terminal.ask(warning())
    terminal.sends()
    station.settle()
    copy = GameStep(
        terminal.steps[-1].game,
        (judge_calls.WarnPlayer(SeatNo(2), Offence.SLOW_PLAY, "five minutes a turn"),),
        origin=StepOrigin(terminal.id, terminal.epoch, len(terminal.entries)),
    )
    terminal.writes(copy)
    terminal.sends()
    station.settle()
    assert len(entrant(station, player).warnings) == 1


def test_the_reason_of_an_ejection_at_the_table_is_proposed_to_the_judge(
    judge: Browser, station: Station
) -> None:
    station.opens(10)
    terminal, _ = seated(station)
    terminal.ask(Abandon(SeatNo(3), ejected=True, offence=Offence.CHEATING, reason="marked cards"))
    terminal.ends()
    terminal.ask(ConfirmSheet(Confirmation.PIN))
    terminal.sends()
    assert "The judge ejects" in judge.get(f"{BASE}/tables/1/1/")
    page = judge.get(BASE)
    assert "was ejected at table 1 in Round 1" in page
    assert 'value="cheating" selected' in page
    assert 'value="marked cards"' in page
