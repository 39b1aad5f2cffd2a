"""Whole tournaments by every edition: games of any outcome, people who leave, corrections, undo, the end."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core.editions.edition import Edition, Schedule
from core.editions.loader import edition, editions
from core.game.ending.finished_game import FinishedGame
from core.terms import Dollars, DuelPart, MatchKind
from core.tournament.decisions import UndoSteps
from core.tournament.draw.hall_tables import MoveTables
from core.tournament.penalties import WithdrawPlayer
from core.tournament.sheets import CorrectSheet
from core.tournament.standings.ledger import accepted_results, start_money
from core.tournament.standings.ranking import EnterOneOnOne, PublishRanking, one_on_one_pairs
from core.tournament.standings.standings import rounds_standings, standings_of
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import DrawnTable, Round
from core.tournament.state.table_list import read_tables
from core.tournament.state.tournament import Stage
from core.tournament.timeline import fold
from tests.core.tournament.conftest import Judge, Play, outlaws_won, players, row_of, time_was_up
from tests.core.tournament.test_finals import begins, won_by

KEYS = [known.key for known in editions()]


def size_of(rules: Edition) -> int:
    return 6 if rules.schedule is Schedule.ONE_GROUP else 13


def spending(chance: Random, play: Play) -> Play:
    """A play where every seat spends a little, as at an auction."""

    def played(round_no: Round, table: DrawnTable) -> FinishedGame:
        prices = tuple(Dollars(chance.choice((0, 0, 100, 300))) for _ in table.players)
        return replace(play(round_no, table), spent=prices, prices=prices)

    return played


def plays_rounds(judge: Judge, chance: Random) -> None:
    while judge.state.stage not in {Stage.FINALS, Stage.FINISHED}:
        for table in judge.publishes().tables:
            play = chance.choice((outlaws_won, outlaws_won, time_was_up))
            judge.accepts(table, spending(chance, play) if judge.rules.auction is not None else play)


def breaks_ties(judge: Judge) -> None:
    for winner, loser in one_on_one_pairs(rounds_standings(judge.state, judge.rules), judge.rules):
        judge.does(EnterOneOnOne(winner, loser))
    judge.draws_lots()


def plays_finals(judge: Judge) -> None:
    begins(judge, MatchKind.LONG_DUEL)
    hall = judge.state.hall_tables
    for place in (1, 2):
        judge.does(won_by(judge, hall.find_number(place), place))
    begins(judge)
    judge.does(won_by(judge, hall.find_number(1), 2, DuelPart.FINAL))


def ends(judge: Judge) -> None:
    """From the last round to the public ranking."""
    breaks_ties(judge)
    if judge.rules.finals is not None:
        plays_finals(judge)
    judge.does(PublishRanking())


@pytest.mark.slow
@given(
    key=st.sampled_from(KEYS),
    chance=st.integers(0, 1 << 16),
    leaves=st.booleans(),
    tables=st.sampled_from(["", "7, 98-140", "12, 3-4, 30-", "5, 1, 3, 9"]),
)
def test_every_edition_is_played_to_its_public_ranking(
    key: str, chance: int, tables: str, *, leaves: bool
) -> None:
    rules = edition(key)
    judge = Judge(rules).opens(size_of(rules))
    if tables:
        judge.does(MoveTables(tables=read_tables(tables)))
    judge.plays_round(time_was_up)
    if leaves:
        judge.does(WithdrawPlayer(players(1)[0].player, "train"))
    plays_rounds(judge, Random(chance))
    breaks_ties(judge)
    before = rounds_standings(judge.state, rules)
    if rules.finals is not None:
        plays_finals(judge)
    judge.does(PublishRanking())
    ranking = standings_of(judge.state, rules)
    assert all(row.rank is not None or row.player == "p001" for row in ranking.rows)
    moved = sum(sum(r.payout) - sum(r.spent) for r in accepted_results(judge.state, rules))
    assert sum(row.total for row in ranking.rows) == size_of(rules) * start_money(rules) + moved
    bonus = sum(row.bonus + row.prize for row in ranking.rows)
    assert sum(row.final_score for row in ranking.rows) == sum(row.score for row in before.rows) + bonus
    again = fold(judge.steps)
    assert again is not None
    assert again.state == judge.state


@pytest.mark.parametrize("key", KEYS)
def test_every_step_of_every_edition_can_be_taken_back(key: str) -> None:
    rules = edition(key)
    judge = Judge(rules).opens(size_of(rules))
    plays_rounds(judge, Random(7))
    ends(judge)
    assert judge.timeline is not None
    states = [moment.state for moment in judge.timeline.moments]
    while judge.state.steps > 1:
        judge.does(UndoSteps(1, "again"))
        assert replace(judge.state, attempts=(), ranking_taken_back=False) == replace(
            states[judge.state.steps - 1], attempts=(), ranking_taken_back=False
        )


@pytest.mark.parametrize("key", KEYS)
def test_a_late_correction_counts_until_the_ranking_is_public(key: str) -> None:
    rules = edition(key)
    judge = Judge(rules).opens(size_of(rules))
    judge.plays_rounds(play=time_was_up)
    first = judge.state.rounds[0]
    table = first.tables[0]
    judge.does(CorrectSheet(table.game, outlaws_won(first, table), "it ended before the clock"))
    row = row_of(standings_of(judge.state, rules), table.players[1])
    assert row.total > start_money(rules)
    ends(judge)
    too_late = CorrectSheet(table.game, time_was_up(first, table), "no")
    assert judge.refuses(too_late) is TournamentReason.RANKING_IS_PUBLIC


def test_d30_two_tied_alone_may_play_a_game_of_two_and_nobody_else() -> None:
    rules = edition("official-2003")
    judge = Judge(rules).opens(4)
    best = [player.player for player in players(4)]
    assert judge.refuses(EnterOneOnOne(best[0], best[1])) is TournamentReason.NOT_FINISHED
    judge.plays_rounds(play=time_was_up)
    assert judge.refuses(EnterOneOnOne(best[0], best[1])) is TournamentReason.NOT_TIED_ALONE
    drawn = judge.state.rounds[0]
    table = drawn.tables[0]
    judge.does(CorrectSheet(table.game, outlaws_won(drawn, table), "they won"))
    (pair, *_) = one_on_one_pairs(rounds_standings(judge.state, rules), rules)
    judge.does(EnterOneOnOne(pair[1], pair[0]))
    rows = {row.player: row for row in standings_of(judge.state, rules).rows}
    one, other = rows[pair[1]].rank, rows[pair[0]].rank
    assert one is not None
    assert other is not None
    assert one.last + 1 == other.first
    assert rows[pair[1]].one_on_one
    assert rows[pair[1]].lot is None


@pytest.mark.parametrize("key", ["championship-2022", "championship-2010"])
def test_d30_the_championships_know_no_game_of_two(key: str) -> None:
    judge = Judge(edition(key)).opens(10)
    judge.plays_rounds(play=time_was_up)
    best = [player.player for player in players(2)]
    assert judge.refuses(EnterOneOnOne(best[0], best[1])) is TournamentReason.NO_ONE_ON_ONE
