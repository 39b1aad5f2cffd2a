"""Several tournaments on one station: none takes a table where another is playing."""

import pytest

from base.errors import Refused
from core.game.orders import ConfirmFromStation, SeatGame, VoidTable
from core.rule_set import RuleSet
from core.terms import TableNo, TournamentId
from core.tournament.decisions import TournamentDecision, UndoSteps
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.draw.hall_tables import MoveTables
from core.tournament.registration import OpenTournament, RegisterPlayers
from core.tournament.sheets import AcceptSheet
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import Round, Source
from core.tournament.state.table_list import list_from
from core.tournament.state.tournament import TournamentState, Waivers
from tests.station.conftest import JUDGE, OPEN, Station, outlaws_won, players, seed
from tests.station.kept import KeptTerminal

SIDE = TournamentId("side-2026")


def does(station: Station, command: TournamentDecision) -> TournamentState:
    return station.run(station.service.decide(SIDE, command, JUDGE))


def draws_side_event(station: Station) -> None:
    """Draw ten other players to two tables, without publishing the draw."""
    rules = RuleSet("championship-2022")
    does(station, OpenTournament(SIDE, "Side event", rules, "2026-11-21", Waivers(rounds=1)))
    does(station, RegisterPlayers(players(10)))
    does(station, SealDraw(seed=seed("side")))
    does(station, MakeDraw(hall_word="saddle"))


def test_a_second_tournament_does_not_take_a_table_that_plays(station: Station) -> None:
    terminal = station.running_round()
    terminal.sends()
    orders = terminal.orders
    draws_side_event(station)
    with pytest.raises(Refused) as refusal:
        does(station, PublishDraw())
    assert refusal.value.reason is TournamentReason.TABLES_IN_USE
    assert refusal.value.fields["tables"] == "1, 2 (Open)"
    assert terminal.orders == orders


def test_tournaments_at_their_own_tables_play_side_by_side(station: Station) -> None:
    station.opens(10)
    first, third = station.terminal(1), station.terminal(3)
    station.publishes()
    first.starts()
    draws_side_event(station)
    does(station, MoveTables(tables=list_from(TableNo(3))))
    state = does(station, PublishDraw())
    assert [drawn.table for drawn in state.rounds[-1].tables] == [3, 4]
    assert third.seats() == state.rounds[-1].tables[0].game
    third.sends()
    for terminal in (first, third):
        terminal.ends()
        terminal.confirms()
    for tournament in (OPEN, SIDE):
        (sheet,) = station.service.tournament(tournament).rounds[-1].sheets
        assert sheet.result.table == (1 if tournament == OPEN else 3)


def test_a_tournament_takes_the_tables_when_they_are_free(station: Station) -> None:
    station.opens(10)
    terminal = station.terminal(1)
    round_ = station.publishes()
    draws_side_event(station)
    station.accepts_paper()
    side = does(station, PublishDraw()).rounds[-1]
    assert [order.seating.game for order in terminal.ordered(SeatGame)] == [
        round_.tables[0].game,
        side.tables[0].game,
    ]


def claims_the_same_tables(station: Station) -> Round:
    """Two tournaments whose running rounds share tables, as older databases may contain."""
    station.opens(10)
    station.publishes()
    station.accepts_paper()
    draws_side_event(station)
    side = does(station, PublishDraw()).rounds[-1]
    station.does(UndoSteps(2, "the sheets were mixed up"))
    assert len(station.service.floor(OPEN)) == len(station.service.floor(SIDE)) == 2
    return side


def test_a_terminal_keeps_its_game_where_two_tournaments_claim_its_table(station: Station) -> None:
    terminal = station.terminal(1)
    side = claims_the_same_tables(station)
    terminal.starts()
    assert terminal.seating.game == side.tables[0].game
    assert not terminal.ordered(VoidTable)


def test_a_terminal_gets_the_second_of_two_games_when_the_first_is_over(station: Station) -> None:
    side = claims_the_same_tables(station)
    terminal = station.terminal(1)
    (order,) = terminal.ordered(SeatGame)
    assert order.seating.tournament == OPEN
    terminal.starts()
    first = station.latest_round
    station.does(AcceptSheet(order.seating.game, outlaws_won(first, 1), Source.PAPER))
    # The game that runs is closed before the next one is given.
    closed, seated = terminal.orders[-2:]
    assert closed == ConfirmFromStation(order.seating.game, is_corrected=True)
    assert isinstance(seated, SeatGame)
    assert seated.seating.game == side.tables[0].game


@pytest.fixture
def emptied(station: Station) -> KeptTerminal:
    """A terminal whose card was erased after a confirmed tournament, when another one begins."""
    station.opens(10, Waivers(rounds=1))
    terminal, _drawn = station.terminal(1), station.publishes()
    terminal.plays()
    station.accepts_paper(2)
    station.publishes_ranking()
    draws_side_event(station)
    does(station, PublishDraw())
    return KeptTerminal(station, terminal.id, "b" * 16)


def test_an_empty_card_is_led_past_its_former_tournament(station: Station, emptied: KeptTerminal) -> None:
    emptied.meets()
    assert emptied.game.game == station.service.tournament(SIDE).rounds[0].tables[0].game


def test_a_station_that_starts_again_leads_it_on(station: Station, emptied: KeptTerminal) -> None:
    emptied.obeys()
    station.store.insert_remote(emptied.entries)
    again = station.restarts()
    assert isinstance(again.orders(emptied.id)[-1], ConfirmFromStation)
