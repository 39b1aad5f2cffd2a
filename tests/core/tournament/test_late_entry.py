"""D45: nobody joins after the first published draw, unless the organiser opens late entry."""

from core.editions.loader import edition
from core.terms import PlayerId, RoundNo
from core.tournament.draw.drawing import PublishDraw
from core.tournament.penalties import WithdrawPlayer
from core.tournament.registration import RegisterPlayers, SetLateEntry
from core.tournament.standings.ledger import budgets
from core.tournament.standings.standings import rounds_standings
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.tournament import Player, Waivers
from tests.core.tournament.conftest import Judge, one_group

LATE = RegisterPlayers((Player(PlayerId("late"), "Lola"),))


def test_d45_late_entry_is_closed_until_it_is_opened_with_a_reason(judge: Judge) -> None:
    judge.opens(10)
    judge.plays_round()
    assert judge.refuses(LATE) is TournamentReason.LATE_ENTRY
    assert judge.refuses(SetLateEntry(is_open=True, reason="")) is TournamentReason.EMPTY_REASON
    judge.does(SetLateEntry(is_open=True, reason="the train was late"))
    assert judge.decides_again()
    assert judge.refuses(SetLateEntry(is_open=True, reason="again")) is TournamentReason.LATE_ENTRY_TWICE
    judge.does(LATE)
    judge.does(SetLateEntry(is_open=False, reason="enough"))
    other = RegisterPlayers((Player(PlayerId("later"), "Luis"),))
    assert judge.refuses(other) is TournamentReason.LATE_ENTRY


def test_d45_a_late_player_joins_at_the_next_draw_with_nothing_for_the_rounds_missed(judge: Judge) -> None:
    judge.opens(10)
    judge.plays_round()
    judge.does(SetLateEntry(is_open=True, reason="the train was late"))
    judge.does(LATE)
    rows = {row.player: row for row in rounds_standings(judge.state, judge.rules).rows}
    assert rows[PlayerId("late")].score == 0
    second = judge.plays_round()
    assert PlayerId("late") in {player for table in second.tables for player in table.players}
    assert [len(table.players) for table in second.tables] == [6, 5]
    assert judge.state.rounds_planned == 3


def test_a_late_player_who_leaves_before_playing_does_not_stop_the_ranking(judge: Judge) -> None:
    judge.opens(10, Waivers(rounds=2))
    judge.plays_round()
    judge.does(SetLateEntry(is_open=True, reason="the train was late"))
    judge.does(LATE)
    judge.does(WithdrawPlayer(PlayerId("late"), "gone again"))
    judge.plays_round()
    assert len(rounds_standings(judge.state, judge.rules).rows) == 11


def test_a_draft_is_drawn_again_for_a_late_player(judge: Judge) -> None:
    judge.opens(10)
    judge.plays_round()
    judge.does(SetLateEntry(is_open=True, reason="the train was late"))
    judge.draws_tables()
    judge.does(LATE)
    assert judge.refuses(PublishDraw()) is TournamentReason.DRAW_IS_STALE


def test_in_2010_a_late_player_brings_the_start_money() -> None:
    judge = Judge(edition("championship-2010")).opens(10)
    judge.plays_round()
    judge.does(SetLateEntry(is_open=True, reason="the train was late"))
    judge.does(LATE)
    assert budgets(judge.state, judge.rules, RoundNo(2))[PlayerId("late")] == 5000


def test_nobody_joins_when_no_round_is_left(judge: Judge) -> None:
    judge.opens(10, Waivers(rounds=1))
    judge.does(SetLateEntry(is_open=True, reason="the train may be late"))
    judge.publishes()
    assert judge.refuses(LATE) is TournamentReason.TOO_LATE_FOR_A_ROUND


def test_a_group_that_has_begun_takes_nobody_in() -> None:
    judge = Judge(one_group()).opens(5)
    judge.publishes()
    assert judge.refuses(LATE) is TournamentReason.LATE_IN_GROUP
    assert judge.refuses(SetLateEntry(is_open=True, reason="x")) is TournamentReason.LATE_IN_GROUP
