"""The announced consequences of a correction are those that it has."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from base.errors import Refused
from core.editions.loader import edition
from core.terms import Dollars, PlayerId, SeatNo
from core.tournament.consequences import Consequences, changes, consequences
from core.tournament.decisions import TournamentDecision, UndoSteps
from core.tournament.penalties import EjectPlayer, WithdrawPlayer
from core.tournament.registration import RenamePlayer
from core.tournament.sheets import AcceptDuel, CorrectDuel, CorrectSheet
from core.tournament.standings.ledger import budgets, is_money_spent
from core.tournament.standings.ranking import DrawLots
from core.tournament.standings.standings import standings_of
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import TournamentState, Waivers
from tests.core.proof.test_forged_and_finals import at_the_semifinals, play_duel
from tests.core.tournament.conftest import Judge, outlaws_won, seed, time_was_up
from tests.examples import examples

RULES = edition("championship-2022")


def played(rounds: int = 2, players: int = 10) -> Judge:
    judge = Judge(RULES).opens(players)
    judge.plays_rounds(rounds)
    return judge


def announced(judge: Judge, decision: TournamentDecision) -> Consequences:
    assert judge.timeline is not None
    return consequences(judge.timeline, decision, judge.rules)


def correction(state: TournamentState, number: int = 0) -> CorrectSheet:
    drawn = state.rounds[0]
    table = drawn.tables[number]
    return CorrectSheet(table.game, time_was_up(drawn, table), "time was up")


def test_a_correction_shows_dollars_ranks_and_tie_breaks() -> None:
    judge = played()
    command = correction(judge.state)
    result = announced(judge, command)
    table = judge.state.rounds[0].tables[0]
    assert {(change.player, change.won_before, change.won_after) for change in result.seats} == {
        (table.players[1], 1800, 0),
        (table.players[3], 1800, 0),
    }
    rows = {change.player: change for change in result.rows}
    loser = rows[table.players[1]]
    assert loser.before is not None
    assert loser.after is not None
    assert loser.after.score == loser.before.score - 1800
    assert loser.after.rank != loser.before.rank
    assert any(change.keys for change in result.rows)
    assert (result.budgets, result.finalists_before, result.finalists_after) == ((), (), ())


def test_nothing_happens_by_looking() -> None:
    judge = played()
    before = judge.state
    announced(judge, correction(before))
    assert judge.state == before


def test_what_would_be_refused_is_refused() -> None:
    judge = played()
    with pytest.raises(Refused):
        announced(judge, WithdrawPlayer(PlayerId("nobody"), "x"))


def test_a_name_changes_nothing() -> None:
    judge = played(1)
    result = announced(judge, RenamePlayer(PlayerId("p001"), "Calamity", ""))
    assert (result.seats, result.rows, result.budgets, result.lots_void) == ((), (), (), ())


def test_lots_that_would_count_no_more_are_named() -> None:
    judge = Judge(RULES).opens(10, Waivers(rounds=1))
    judge.plays_round()
    judge.does(DrawLots(seed("lots")))
    groups = judge.state.lots
    result = announced(judge, correction(judge.state))
    assert set(result.lots_void) <= set(groups)
    assert result.lots_void
    assert result.ties_before == ()


def test_an_undone_sheet_takes_its_dollars_away() -> None:
    judge = played(1)
    result = announced(judge, UndoSteps(1, "wrong table"))
    assert len(result.seats) == 5
    assert all(change.won_after is None for change in result.seats)
    assert sum(change.won_before or 0 for change in result.seats) == 3600


@settings(max_examples=examples(40), deadline=None)
@given(data=st.data())
def test_the_command_really_gives_what_was_predicted(data: st.DataObject) -> None:
    judge = played(data.draw(st.integers(1, 2)), data.draw(st.integers(10, 13)))
    state = judge.state
    player = data.draw(st.sampled_from(state.entrants)).player
    number = data.draw(st.integers(0, len(state.rounds[0].tables) - 1))
    commands: list[TournamentDecision] = [
        correction(state, number),
        WithdrawPlayer(player, "train"),
        EjectPlayer(player, "cheating"),
        UndoSteps(data.draw(st.integers(1, state.steps - 4)), "x"),
    ]
    command = data.draw(st.sampled_from(commands))
    before = standings_of(state, RULES)
    result = announced(judge, command)
    judge.does(command)
    after = standings_of(judge.state, RULES)
    rows = {row.player: row for row in before.rows}
    for change in result.rows:
        assert rows[change.player] == change.before
        assert change.after is not None
        rows[change.player] = change.after
    assert rows == {row.player: row for row in after.rows}
    assert (result.ties_before, result.ties_after) == (before.draw_groups, after.draw_groups)
    # Scores move by the dollars of the games, and by nothing else.
    for player in rows:
        moved = sum((c.won_after or 0) - (c.won_before or 0) for c in result.seats if c.player == player)
        one, other = before.row(player), after.row(player)
        assert one is not None
        assert other is not None
        assert other.score - one.score == moved


def test_two_equal_states_differ_in_nothing() -> None:
    judge = played(1)
    result = changes(judge.state, judge.state, RULES)
    assert (result.seats, result.rows, result.budgets, result.lots_void) == ((), (), (), ())


def test_budgets_are_what_earlier_rounds_left() -> None:
    judge = played(2)
    drawn = judge.state.rounds[0]
    first = budgets(judge.state, RULES, drawn.round)
    assert set(first.values()) == {Dollars(0)}
    second = budgets(judge.state, RULES, judge.state.rounds[1].round)
    winners = {table.players[seat] for table in drawn.tables for seat in (1, 3)}
    assert {player for player, dollars in second.items() if dollars} == winners
    assert is_money_spent(RULES) is False
    assert outlaws_won(drawn, drawn.tables[0]).spent == ()


def test_another_winner_of_a_semifinal_means_another_final() -> None:
    judge = at_the_semifinals()
    tables = judge.finals.begun[-1].tables
    results = [play_duel(judge, drawn)[1] for drawn in tables]
    for drawn, result in zip(tables, results, strict=True):
        judge.does(AcceptDuel(drawn.game, result, Source.TERMINAL))
    turned = replace(results[0], winner=SeatNo(2), score=(0, 5), characters=((), ()))
    difference = announced(judge, CorrectDuel(tables[0].game, turned, "misread"))
    assert difference.final_before == (tables[0].players[0], tables[1].players[0])
    assert set(difference.final_after) == {tables[0].players[1], tables[1].players[0]}
    assert difference.finalists_before == difference.finalists_after == judge.finals.finalists
    assert not difference.is_empty
    assert (difference.seats, difference.rows) == ((), ())


def test_before_the_ranking_of_the_rounds_is_public_a_correction_may_name_other_finalists() -> None:
    rules = edition("championship-2010")
    judge = Judge(rules).opens(10)
    judge.plays_rounds(3)
    changed = [
        announced(judge, CorrectSheet(table.game, time_was_up(drawn, table), "x"))
        for drawn in judge.state.rounds
        for table in drawn.tables
    ]
    assert all(len(one.finalists_before) == 4 for one in changed)
    assert any(one.finalists_before != one.finalists_after for one in changed)
