"""Finals by duels: who meets whom, walkovers, corrections, places and prizes."""

import pytest
from msgspec.structs import replace

from base.errors import BadData, Refused
from core.editions.edition import Edition
from core.editions.loader import edition
from core.game.result import FinishedDuel
from core.game.state.duel import DuelBecause
from core.terms import DuelPart, GameId, MatchKind, RoundNo, SeatNo, TableNo
from core.tournament.decisions import UndoSteps, evolve
from core.tournament.finals import BeginDuels, CallOffTieDuel, PublishRoundsRanking
from core.tournament.penalties import EjectPlayer, WithdrawPlayer
from core.tournament.registration import ChangeWaivers
from core.tournament.sheets import AcceptDuel, CorrectDuel, CorrectSheet
from core.tournament.standings.ledger import prizes
from core.tournament.standings.ranking import PublishRanking
from core.tournament.standings.standings import Rank, rounds_standings, standings_of
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import Stage, Waivers
from tests.core.tournament.conftest import Judge, outlaws_won, row_of, time_was_up


@pytest.fixture
def duel_rules() -> Edition:
    return edition("championship-2010")


@pytest.fixture
def judge(duel_rules: Edition) -> Judge:
    """A judge whose three rounds of ten players are played, and whose lots are drawn."""
    judge = Judge(duel_rules).opens(10)
    judge.plays_rounds(3)
    judge.draws_lots()
    return judge


def begins(judge: Judge, kind: MatchKind = MatchKind.SHORT_DUEL) -> None:
    if judge.state.finals is None:
        judge.does(PublishRoundsRanking())
    judge.does(BeginDuels(kind=kind))


def won_by(judge: Judge, table: int, seat: int, part: DuelPart = DuelPart.SEMIFINALS) -> AcceptDuel:
    duels = next(duels for duels in judge.finals.begun if duels.part is part)
    drawn = next(drawn for drawn in duels.tables if drawn.table == table)
    one, other = drawn.players
    score = (5, 1) if seat == 1 else (3, 5)
    result = FinishedDuel(
        duels.round,
        drawn.table,
        duels.kind,
        (one, other),
        SeatNo(seat),
        score,
        DuelBecause.ELIMINATIONS,
    )
    return AcceptDuel(drawn.game, result, Source.TERMINAL)


def test_the_rounds_ranking_is_published_and_its_four_best_are_paired(judge: Judge) -> None:
    assert judge.stage() is Stage.FINALS
    assert judge.refuses(BeginDuels(kind=MatchKind.LONG_DUEL)) is TournamentReason.FINALISTS_UNKNOWN
    best = [group[0] for group in rounds_standings(judge.state, judge.rules).ranking[:4]]
    begins(judge, MatchKind.LONG_DUEL)
    semifinals = judge.finals.semifinals
    assert semifinals is not None
    assert [table.players for table in semifinals.tables] == [(best[0], best[3]), (best[1], best[2])]
    assert [table.table for table in semifinals.tables] == [1, 2]
    assert [table.game for table in semifinals.tables] == ["open-r4-t1-a1", "open-r4-t2-a1"]
    assert semifinals.kind is MatchKind.LONG_DUEL


def test_the_final_follows_in_its_own_kind_and_decides_the_first_four_places(judge: Judge) -> None:
    before = rounds_standings(judge.state, judge.rules)
    begins(judge, MatchKind.SHORT_DUEL)
    first, second, third, fourth = judge.finals.finalists
    judge.does(won_by(judge, 1, 2))
    assert judge.refuses(BeginDuels(kind=MatchKind.LONG_DUEL)) is TournamentReason.DUELS_RUN
    judge.does(won_by(judge, 2, 1))
    assert judge.stage() is Stage.FINALS
    begins(judge, MatchKind.LONG_DUEL)
    assert judge.finals.final_pair == (second, fourth)
    judge.does(won_by(judge, 1, 2, DuelPart.FINAL))
    assert judge.stage() is Stage.FINISHED
    ranking = standings_of(judge.state, judge.rules)
    assert [row.player for row in ranking.rows[:4]] == [fourth, second, first, third]
    assert [row.rank for row in ranking.rows[:4]] == [Rank(1, 1), Rank(2, 2), Rank(3, 4), Rank(3, 4)]
    assert [row.prize for row in ranking.rows[:4]] == [6000, 3000, 1500, 1500]
    assert [row.player for row in ranking.rows[4:]] == [row.player for row in before.rows[4:]]
    for row in ranking.rows:
        was = row_of(before, row.player)
        assert row.final_score == was.final_score + row.prize
    judge.does(PublishRanking())
    assert judge.stage() is Stage.PUBLISHED


def test_the_ranking_is_not_public_before_the_finals_are_over(judge: Judge) -> None:
    assert judge.refuses(PublishRanking()) is TournamentReason.FINALS_NOT_OVER
    begins(judge)
    assert judge.refuses(PublishRanking()) is TournamentReason.FINALS_NOT_OVER
    assert judge.refuses(PublishRoundsRanking()) is TournamentReason.ROUNDS_RANKING_TWICE
    assert judge.refuses(ChangeWaivers(Waivers(rounds=3), "late")) is TournamentReason.FINALISTS_ARE_NAMED


def test_a_finalist_who_leaves_before_the_duel_gives_the_opponent_a_walkover(judge: Judge) -> None:
    judge.does(PublishRoundsRanking())
    first, second, third, fourth = judge.finals.finalists
    judge.does(WithdrawPlayer(first, "train"))
    assert judge.finals.semifinal_winners == (fourth, None)
    begins(judge)
    semifinals = judge.finals.semifinals
    assert semifinals is not None
    assert [table.table for table in semifinals.tables] == [2]
    judge.does(won_by(judge, 2, 2))
    assert judge.finals.final_pair == (third, fourth)
    begins(judge)
    judge.does(won_by(judge, 1, 1, DuelPart.FINAL))
    assert judge.finals.places == (third, fourth, first, second)
    ranking = standings_of(judge.state, judge.rules)
    assert [row.prize for row in ranking.rows[:4]] == [6000, 3000, 1500, 1500]


def test_an_ejection_during_a_duel_ends_it_and_the_final_may_need_no_duel(judge: Judge) -> None:
    begins(judge)
    first, second, third, fourth = judge.finals.finalists
    judge.does(won_by(judge, 1, 1))
    judge.does(EjectPlayer(third, "shouted"))
    assert judge.finals.final_pair == (first, second)
    judge.does(WithdrawPlayer(first, "tired"))
    assert judge.stage() is Stage.FINISHED
    assert judge.finals.places == (second, first, third, fourth)
    assert judge.refuses(BeginDuels(kind=MatchKind.SHORT_DUEL)) is TournamentReason.FINALS_ARE_OVER
    judge.does(UndoSteps(1, "he stays"))
    assert judge.stage() is Stage.FINALS
    assert judge.finals.champion is None


def test_who_leaves_during_a_duel_left_in_its_round(judge: Judge) -> None:
    begins(judge)
    gone = judge.finals.finalists[3]
    judge.does(WithdrawPlayer(gone, "ill"))
    entrant = judge.state.entrant(gone)
    assert entrant is not None
    assert entrant.out_after_round == 4


def test_a_late_withdrawal_keeps_the_place_in_the_rounds(judge: Judge) -> None:
    judge.does(PublishRoundsRanking())
    before = [row.player for row in rounds_standings(judge.state, judge.rules).rows]
    judge.does(WithdrawPlayer(before[5], "train"))
    judge.does(WithdrawPlayer(before[1], "train"))
    assert [row.player for row in rounds_standings(judge.state, judge.rules).rows] == before


def test_a_withdrawal_before_the_publication_lets_the_fifth_move_up(judge: Judge) -> None:
    ranked = [row.player for row in rounds_standings(judge.state, judge.rules).rows]
    judge.does(WithdrawPlayer(ranked[0], "train"))
    judge.draws_lots()
    judge.does(PublishRoundsRanking())
    assert ranked[0] not in judge.finals.finalists


def test_a_semifinal_is_corrected_until_the_final_begins_without_its_new_winner(judge: Judge) -> None:
    begins(judge)
    first, second, _third, fourth = judge.finals.finalists
    accepted = won_by(judge, 1, 1)
    judge.does(accepted)
    judge.does(won_by(judge, 2, 1))
    other = won_by(judge, 1, 2)
    assert judge.refuses(accepted) is TournamentReason.SHEET_TWICE
    same = CorrectDuel(accepted.game, accepted.result, "same")
    assert judge.refuses(same) is TournamentReason.NOTHING_CORRECTED
    judge.does(CorrectDuel(other.game, other.result, "copied wrongly"))
    assert judge.finals.final_pair == (second, fourth)
    begins(judge)
    back = CorrectDuel(accepted.game, accepted.result, "no, the first")
    assert judge.refuses(back) is TournamentReason.FINAL_IS_BEGUN
    judge.does(UndoSteps(1, "wrong final"))
    judge.does(back)
    begins(judge)
    final = judge.finals.final
    assert final is not None
    assert final.tables[0].players == (first, second)
    assert final.tables[0].game == "open-r5-t1-a2"


def test_a_result_of_another_duel_is_refused(judge: Judge) -> None:
    begins(judge)
    right = won_by(judge, 1, 1)
    one, other = right.result.players
    for wrong, reason in (
        (replace(right.result, table=TableNo(2)), TournamentReason.OTHER_TABLE),
        (replace(right.result, players=(other, one)), TournamentReason.OTHER_PLAYERS),
        (replace(right.result, kind=MatchKind.LONG_DUEL), TournamentReason.OTHER_DUEL_KIND),
    ):
        assert judge.refuses(replace(right, result=wrong)) is reason
    assert judge.refuses(BeginDuels(kind=MatchKind.SHORT_DUEL)) is TournamentReason.DUELS_RUN


def test_a_late_correction_moves_money_but_no_finalist(judge: Judge) -> None:
    judge.does(PublishRoundsRanking())
    played = judge.state.rounds[0]
    reasons = []
    for table in played.tables:
        other = CorrectSheet(table.game, time_was_up(played, table), "nobody won")
        try:
            judge.does(other)
        except Refused as refusal:
            reasons.append(refusal.reason)
        else:
            best = rounds_standings(judge.state, judge.rules).ranking[:4]
            assert best == tuple((player,) for player in judge.finals.finalists)
            judge.does(CorrectSheet(table.game, outlaws_won(played, table), "they did"))
    assert set(reasons) == {TournamentReason.OTHER_FINALISTS}


def test_no_edition_without_finals_begins_any(rules: Edition) -> None:
    judge = Judge(rules).opens(10)
    assert judge.refuses(PublishRoundsRanking()) is TournamentReason.NO_FINALS
    assert judge.refuses(BeginDuels(kind=MatchKind.LONG_DUEL)) is TournamentReason.NO_FINALS


def test_fewer_than_four_players_end_with_the_ranking_of_the_rounds(judge: Judge) -> None:
    for entrant in judge.state.entrants[3:]:
        judge.does(WithdrawPlayer(entrant.player, "train"))
    judge.draws_lots()
    assert judge.refuses(PublishRoundsRanking()) is TournamentReason.TOO_FEW_FOR_FINALS
    judge.does(PublishRanking())
    assert judge.stage() is Stage.PUBLISHED


@pytest.mark.parametrize("rounds", range(1, 10))
def test_prizes_are_linear_in_the_rounds_really_played(rounds: int) -> None:
    rule = edition("championship-2010").finals
    assert rule is not None
    amounts = prizes(rule, rounds)
    assert amounts == (2000 * rounds, 1000 * rounds, 500 * rounds, 500 * rounds)


def test_an_accepted_result_counts_even_when_its_winner_left_before_it_was_accepted(judge: Judge) -> None:
    begins(judge)
    first, _, _, fourth = judge.finals.finalists
    result = won_by(judge, 1, 1)
    judge.does(WithdrawPlayer(first, "train"))
    assert judge.finals.semifinal_winners[0] == fourth
    judge.does(result)
    assert judge.finals.semifinal_winners[0] == first


def test_a_log_of_duels_without_finalists_or_of_no_duel_is_damaged(judge: Judge) -> None:
    begun = BeginDuels(part=DuelPart.FINAL, round=RoundNo(5), attempt=1, kind=MatchKind.LONG_DUEL)
    with pytest.raises(BadData, match="before the finalists are named"):
        evolve(judge.state, begun)
    begins(judge)
    stray = won_by(judge, 1, 1)
    assert isinstance(stray.result, FinishedDuel)
    with pytest.raises(BadData, match="changes nothing: duel nowhere"):
        evolve(judge.state, AcceptDuel(GameId("nowhere"), stray.result, stray.source, "J"))
    with pytest.raises(BadData, match="called off that is not running: nowhere"):
        evolve(judge.state, CallOffTieDuel(GameId("nowhere"), "J"))
