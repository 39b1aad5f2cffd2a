"""Disputed sheets and missing entries, both of which hold up a draw."""

import msgspec
import pytest

from core.game.ending.finished_game import FinishedGame
from core.game.play.turns import EndTurn
from core.terms import RoundNo, SeatNo, TableNo
from core.tournament.decisions import UndoSteps
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.penalties import WithdrawPlayer
from core.tournament.sheets import AcceptSheet, CorrectSheet, DisputeSheet, SettleDispute, WaiveOwedEntries
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import Source
from station.projections.cards import SheetState
from tests.station.browser import Browser
from tests.station.conftest import OPEN, Station, outlaws_won, present, seed
from tests.station.kept import kept_round


def sheet_state(station: Station) -> SheetState:
    return station.service.floor(OPEN)[0].sheet


def on_paper(station: Station) -> AcceptSheet:
    round_ = station.latest_round
    return AcceptSheet(round_.tables[0].game, outlaws_won(round_, 1), Source.PAPER)


def test_a_doubted_sheet_counts_as_before_until_the_judge_decides(station: Station) -> None:
    station.opens(10)
    station.publishes()
    accepted = on_paper(station)
    assert isinstance(accepted.result, FinishedGame)
    station.refuses(DisputeSheet(accepted.game, "too early"))
    station.does(accepted)
    standings = station.service.standings(OPEN)
    station.does(DisputeSheet(accepted.game, "the paper was copied in a hurry"))
    assert sheet_state(station) is SheetState.DISPUTED
    assert station.service.floor(OPEN)[0].doubt == "the paper was copied in a hurry"
    assert station.service.standings(OPEN) == standings
    station.does(SettleDispute(accepted.game, "all five agree"))
    assert sheet_state(station) is SheetState.ACCEPTED
    station.does(DisputeSheet(accepted.game, "again"))
    (shot,) = accepted.result.eliminations
    shot = msgspec.structs.replace(shot, by=SeatNo(4), turn=SeatNo(4))
    other = msgspec.structs.replace(accepted.result, eliminations=(shot,))
    station.does(CorrectSheet(accepted.game, other, "seat 4 shot"))
    assert sheet_state(station) is SheetState.ACCEPTED
    assert station.verdict().faults == ()


def test_a_terminal_that_returns_after_paper_is_shown_beside_it(station: Station) -> None:
    broken = kept_round(station)
    station.does(on_paper(station))
    broken.asks(EndTurn(), EndTurn(), EndTurn())
    broken.ends(by=4)
    broken.confirms()
    assert sheet_state(station) is SheetState.DISPUTED
    card = station.service.floor(OPEN)[0]
    accepted = present(card.accepted)
    assert card.reported is not None
    station.does(SettleDispute(card.game_id, "the paper is right"))
    assert sheet_state(station) is SheetState.ACCEPTED
    assert station.service.floor(OPEN)[0].accepted == accepted


def test_the_page_disputes_and_settles_with_a_reason(station: Station, judge: Browser) -> None:
    station.opens(10)
    station.publishes()
    station.does(on_paper(station))
    table = f"/judge/t/{OPEN}/tables/1/1"
    judge.get(table)
    judge.post(f"{table}/dispute", reason="the Sheriff protests")
    assert "the Sheriff protests" in judge.get(table)
    assert "disputed" in judge.get(f"/judge/t/{OPEN}/floor")
    judge.post(f"{table}/settle", reason="three witnesses")
    assert "the Sheriff protests" not in judge.get(table)
    assert "three witnesses" in judge.get(f"/judge/t/{OPEN}/history")


def test_a_departure_that_a_table_was_told_of_is_not_taken_back(station: Station) -> None:
    kept_round(station)
    station.does(WithdrawPlayer(station.latest_round.tables[0].players[2], "tired"))
    assert station.refuses(UndoSteps(1, "came back")).reason is TournamentReason.LEFT_AT_THE_TABLE
    station.does(WithdrawPlayer(station.latest_round.tables[1].players[2], "tired"))
    station.does(UndoSteps(1, "table 2 has no terminal"))


def owed(station: Station) -> list[tuple[int, int | None]]:
    return [(table.table, table.owes) for table in station.service.problems.tables_with_missing_entries(OPEN)]


def test_tables_without_terminals_owe_nothing(station: Station) -> None:
    station.opens(10)
    station.plays_round()
    assert owed(station) == []


def test_a_table_owes_what_its_terminal_says_until_it_came(station: Station) -> None:
    terminal = station.running_round()
    station.connects(terminal.id, owes=len(terminal.unsent))
    assert owed(station) == [(1, len(terminal.unsent))]
    terminal.sends()
    # The hub counts down what was claimed as it becomes durable.
    station.hears(terminal.id, owes=0)
    assert owed(station) == []


def test_a_terminal_that_left_in_a_game_owes_at_least_what_it_said_last(station: Station) -> None:
    terminal = station.running_round()
    station.connects(terminal.id, owes=3)
    station.disconnects(terminal.id)
    assert owed(station) == [(1, 3)]
    assert station.service.terminals()[0].owes == 3


def test_a_terminal_that_left_in_a_game_and_owed_nothing_may_owe_by_now(station: Station) -> None:
    terminal = station.running_round()
    terminal.sends()
    station.disconnects(terminal.id)
    assert owed(station) == [(1, None)]


def test_a_draw_waits_for_a_table_and_goes_on_with_a_reason(station: Station) -> None:
    station.opens(10)
    terminal = station.terminal(1)
    station.plays_round()
    terminal.seats()
    station.connects(terminal.id, owes=2)
    station.disconnects(terminal.id)
    station.does(SealDraw(seed=seed("two")))
    refusal = present(station.service.why_not(OPEN, MakeDraw()))
    assert refusal.reason is TournamentReason.TABLES_OWE
    station.refuses(MakeDraw())
    station.does(
        WaiveOwedEntries(
            station.service.problems.tables_with_missing_entries(OPEN), "the terminal fell off the table"
        )
    )
    assert owed(station) == []
    station.does(MakeDraw())
    station.does(PublishDraw())


def test_a_table_is_found_without_walking_all_of_them_and_is_never_an_old_one(station: Station) -> None:
    station.opens(10)
    station.plays_round()
    station.publishes("second")
    state, published = station.service.tournament(OPEN), station.context.published
    first = published.find(state, RoundNo(1), TableNo(2))
    assert (first.round, first.drawn.table, first.is_accepted) == (1, 2, True)
    assert published.find(state, RoundNo(1), TableNo(2)) is first
    assert not published.find(state, RoundNo(2), TableNo(2)).is_accepted
    with pytest.raises(KeyError):
        published.find(state, RoundNo(3), TableNo(1))
    station.accepts_paper(2)
    assert published.find(station.service.tournament(OPEN), RoundNo(2), TableNo(2)).is_accepted
