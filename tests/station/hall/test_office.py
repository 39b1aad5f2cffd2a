"""The judge's work on a whole tournament, with the real core and a real database."""

import msgspec
import pytest

from core.game.clock import EndByTimeLimit
from core.game.ending.finished_game import FinishedGame
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge
from core.game.ending.sheet import ConfirmSheet
from core.game.ending.winnings import winnings
from core.game.orders import (
    AnswerCall,
    AssignTable,
    CallTime,
    CloseTournament,
    ConfirmFromStation,
    PlaceInQueue,
    SeatGame,
    VoidTable,
    WithdrawSeat,
)
from core.game.state.game import Confirmation
from core.terms import GameId, SeatNo, TableNo, TournamentId
from core.tournament.decisions import UndoSteps
from core.tournament.draw.drawing import PublishDraw, SealDraw
from core.tournament.penalties import EjectPlayer, WithdrawPlayer
from core.tournament.registration import RegisterPlayers
from core.tournament.sheets import AcceptSheet, CorrectSheet
from core.tournament.standings.ranking import DrawLots, PublishRanking
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import Stage, Waivers
from station.calls.service import JudgeCalls
from station.projections.cards import SheetState, TerminalLink
from station.terminals.service import Terminals
from tests.station.conftest import (
    JUDGE,
    OPEN,
    Pair,
    Station,
    outlaws_won,
    players,
    present,
    seed,
)


def test_an_empty_station_has_no_tournament(station: Station) -> None:
    assert station.service.tournaments() == ()


def test_a_whole_tournament_at_terminals_ends_with_a_public_ranking(station: Station, pair: Pair) -> None:
    for number in (1, 2, 3):
        round_ = station.publishes(number)
        assert len(station.service.floor(OPEN)) == 2
        for terminal in pair:
            terminal.plays()
        assert station.service.floor(OPEN) == ()
        assert set(station.accepted_by) == {"terminal 1 (PIN)", "terminal 2 (PIN)"}
        assert round_.round == number
    assert station.service.tournament(OPEN).stage is Stage.FINISHED
    if station.service.standings(OPEN).draw_groups:
        assert station.service.why_not(OPEN, PublishRanking())
        station.does(DrawLots(seed("lots")))
    station.does(PublishRanking())
    standings = station.service.standings(OPEN)
    assert standings.draw_groups == ()
    # Two Outlaws win 1,800 at each of two tables in each of three rounds; four bonuses of 100.
    assert sum(row.final_score for row in standings.rows) == 3 * 2 * 2 * 1_800 + 400
    assert [len(terminal.ordered(CloseTournament)) for terminal in pair] == [1, 1]
    assert station.service.tournament(OPEN).stage is Stage.PUBLISHED


def test_paper_needs_no_terminal(station: Station) -> None:
    station.opens(10, Waivers(rounds=1))
    station.publishes()
    assert [card.terminal for card in station.service.floor(OPEN)] == [None, None]
    station.accepts_paper()
    assert station.service.tournament(OPEN).stage is Stage.FINISHED


def test_publishing_seats_every_table_at_its_own_terminal(station: Station, pair: Pair) -> None:
    round_ = station.publishes()
    for terminal, table in zip(pair, round_.tables, strict=True):
        (order,) = terminal.ordered(SeatGame)
        assert order.seating.game == table.game
        assert order.seating.rules.edition == "championship-2022"
        assert tuple(seat.player for seat in order.seating.seats) == table.players
        assert order.seating.seats[0].name.startswith("Player ")


def test_the_time_limit_of_the_round_travels_with_the_seating(station: Station) -> None:
    terminal = station.round_with_terminal(10, Waivers(time_limit_min=50))
    assert terminal.ordered(SeatGame)[0].time_limit_min == 50


def test_a_draw_that_is_not_published_is_told_to_nobody(station: Station, pair: Pair) -> None:
    station.publishes()
    orders = pair[0].ordered(SeatGame)
    for terminal in pair:
        terminal.plays()
    station.does(SealDraw(seed=seed("second")))
    assert pair[0].ordered(SeatGame) == orders


def test_taking_a_publication_back_clears_the_tables_and_publishing_again_seats_them_again(
    station: Station, pair: Pair
) -> None:
    round_ = station.publishes()
    station.does(UndoSteps(1, "wrong list"))
    assert pair[0].ordered(VoidTable)[0].game == round_.tables[0].game
    station.does(PublishDraw())
    kinds = [type(order) for order in pair[0].orders]
    assert kinds == [AssignTable, SeatGame, VoidTable, SeatGame]


def test_a_result_from_paper_closes_the_table_of_the_terminal(station: Station, pair: Pair) -> None:
    round_ = station.publishes()
    station.accepts_paper(1)
    order = ConfirmFromStation(round_.tables[0].game, is_corrected=True)
    assert pair[0].ordered(ConfirmFromStation) == [order]
    assert pair[1].ordered(ConfirmFromStation) == []


def test_a_terminal_that_closed_its_table_itself_needs_no_word(station: Station, pair: Pair) -> None:
    station.publishes()
    pair[0].plays()
    assert pair[0].ordered(ConfirmFromStation) == []
    assert station.card().sheet is SheetState.ACCEPTED


def test_a_sheet_is_proposed_while_only_the_terminal_has_it(station: Station, pair: Pair) -> None:
    station.publishes()
    pair[0].starts()
    assert station.card().sheet is SheetState.PLAYING
    pair[0].ends()
    pair[0].sends()
    card = station.card()
    assert card.sheet is SheetState.PROPOSED
    assert isinstance(card.reported, FinishedGame)
    assert card.accepted is None
    assert winnings(card.reported, station.service.rules(OPEN))[1] == 1_800


def test_another_result_at_the_table_after_paper_is_a_dispute(station: Station, pair: Pair) -> None:
    round_ = station.publishes()
    pair[0].seats()
    paper = outlaws_won(round_, 1)
    other = msgspec.structs.replace(paper, roles=(*paper.roles[:2], *paper.roles[:1:-1]))
    station.does(AcceptSheet(round_.tables[0].game, other, Source.PAPER))
    pair[0].ends()
    pair[0].tells(ConfirmSheet(Confirmation.KEY))
    card = station.card()
    assert card.sheet is SheetState.DISPUTED
    assert card.accepted == other
    assert isinstance(card.reported, FinishedGame)
    assert card.reported.roles == paper.roles
    station.does(CorrectSheet(round_.tables[0].game, card.reported, "the terminal was right"))
    assert station.card().sheet is SheetState.ACCEPTED


def test_the_same_result_from_paper_and_terminal_is_no_dispute(station: Station, pair: Pair) -> None:
    station.publishes()
    pair[0].seats()
    station.accepts_paper(1)
    pair[0].ends()
    pair[0].confirms()
    assert station.card().sheet is SheetState.ACCEPTED


def test_an_acceptance_that_the_judge_took_back_stays_with_the_judge(station: Station, pair: Pair) -> None:
    round_ = station.publishes()
    pair[0].plays()
    station.does(UndoSteps(1, "wrong table confirmed"))
    pair[1].plays()
    running = station.latest_round
    assert [sheet.game for sheet in running.sheets] == [round_.tables[1].game]
    assert station.card().sheet is SheetState.PROPOSED


def test_whoever_leaves_in_a_game_is_out_at_the_terminal_too(station: Station, pair: Pair) -> None:
    round_ = station.publishes()
    station.does(WithdrawPlayer(round_.tables[0].players[2], "ill"))
    station.does(EjectPlayer(round_.tables[0].players[3], "cheating"))
    game = round_.tables[0].game
    assert pair[0].ordered(WithdrawSeat) == [
        WithdrawSeat(game, SeatNo(3), ejected=False),
        WithdrawSeat(game, SeatNo(4), ejected=True),
    ]
    assert pair[1].ordered(WithdrawSeat) == []


def test_whoever_leaves_between_the_rounds_is_news_to_no_terminal(station: Station, pair: Pair) -> None:
    round_ = station.publishes()
    for terminal in pair:
        terminal.plays()
    station.does(WithdrawPlayer(round_.tables[0].players[2], "ill"))
    assert pair[0].ordered(WithdrawSeat) == []


def test_a_refused_command_changes_nothing(station: Station) -> None:
    station.opens(10)
    before = list(station.store.entries_after())
    station.refuses(PublishDraw())
    assert str(station.service.why_not(OPEN, PublishDraw())) == "There's no draw to publish."
    assert station.service.why_not(OPEN, RegisterPlayers(players(11)[10:])) is None
    assert list(station.store.entries_after()) == before


def test_unknown_tournaments_rounds_and_tables_are_named(station: Station) -> None:
    station.opens(10)
    with pytest.raises(KeyError, match="nowhere"):
        station.service.tournament(TournamentId("nowhere"))
    with pytest.raises(KeyError, match="table 1"):
        station.card()
    with pytest.raises(KeyError, match="no-game"):
        station.run(station.service.of(JudgeCalls).claim(GameId("no-game"), JUDGE))


def test_the_judge_answers_a_call_and_calls_time(station: Station, pair: Pair) -> None:
    station.publishes()
    game = pair[0].starts(CallJudge())
    card = station.service.floor(OPEN)[0]
    assert present(card.game).judge_called
    assert present(card.terminal).link is TerminalLink.TCP
    station.run(station.service.of(JudgeCalls).claim(game, JUDGE))
    station.run(station.service.of(Terminals).call_time(game, EndByTimeLimit(), JUDGE))
    assert pair[0].orders[-2:] == [AnswerCall(game), CallTime(game)]
    assert pair[1].ordered(CallTime) == []


def test_tables_that_call_are_told_how_many_called_before_them(station: Station, pair: Pair) -> None:
    station.publishes()
    first, second = pair
    games = [terminal.seats() for terminal in pair]
    for terminal in (second, first):
        terminal.tells(CallJudge())
    one, two = (TableNo(1),), (TableNo(2),)
    assert second.ordered(PlaceInQueue) == [
        PlaceInQueue(games[1], 1, before=0), PlaceInQueue(games[1], 1, before=0, others=one)
    ]  # fmt: skip
    assert first.ordered(PlaceInQueue) == [PlaceInQueue(games[0], 1, before=1, others=two)]
    station.run(station.service.of(JudgeCalls).claim(games[1], JUDGE))
    assert first.ordered(PlaceInQueue)[-1] == PlaceInQueue(games[0], 1, before=0)
    assert second.ordered(AnswerCall)[-1] == AnswerCall(games[1], others=one)
    for command in (AnswerJudgeCall(), CallJudge()):
        second.tells(command)
    assert second.ordered(PlaceInQueue)[-1] == PlaceInQueue(games[1], 2, before=1, others=one)
    station.run(station.service.of(JudgeCalls).end(games[0], JUDGE))
    station.settle()
    assert second.ordered(PlaceInQueue)[-1] == PlaceInQueue(games[1], 2, before=0)


def test_the_story_of_a_game_has_every_step_with_its_time(station: Station, pair: Pair) -> None:
    station.publishes()
    game = pair[0].plays()
    story = station.service.story(game)
    assert [timed.seq for timed in story] == list(range(1, len(pair[0].entries) + 1))
    assert story[0].wall_ms > 0
    assert station.service.story(GameId("none")) == ()


def test_the_history_of_a_tournament_keeps_what_was_taken_back(station: Station) -> None:
    station.opens(10)
    station.publishes()
    station.does(UndoSteps(1, "too early"))
    assert len(station.service.history(OPEN)) == 6
    assert station.service.tournament(OPEN).stage is Stage.DRAWN
