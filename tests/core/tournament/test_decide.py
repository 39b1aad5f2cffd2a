"""Commands of a judge, and the reasons for refusing them."""

import pytest
from msgspec.structs import replace

from base.errors import OurFault, Refused
from core.editions.edition import Edition
from core.game.state.reasons import GameReason
from core.rule_set import RuleSet
from core.terms import Ending, GameId, PlayerId, TournamentId
from core.tournament.decisions import UndoSteps, decide
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.penalties import EjectPlayer, WarnPlayer, WithdrawPlayer
from core.tournament.registration import (
    ChangeWaivers,
    OpenTournament,
    RegisterPlayers,
    RemovePlayer,
    RenamePlayer,
)
from core.tournament.sheets import AcceptSheet, CorrectSheet
from core.tournament.standings.ranking import DrawLots, PublishRanking
from core.tournament.standings.standings import standings_of
from core.tournament.state.decision import name_of
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import Player, Stage, Waivers
from tests.core.game.conftest import refused
from tests.core.tournament.conftest import Judge, outlaws_won, players, seed, time_was_up

P1 = PlayerId("p001")


@pytest.fixture
def judge(rules: Edition) -> Judge:
    """A judge whose tournament has ten players."""
    return Judge(rules).opens(10)


def test_nothing_happens_before_the_opening_and_no_tournament_opens_twice_or_by_another_edition(
    rules: Edition,
) -> None:
    judge = Judge(rules)
    with pytest.raises(Refused, match="isn't open yet"):
        judge.does(RegisterPlayers(players(3)))
    other = OpenTournament(TournamentId("x"), "X", RuleSet("championship-1876"), "2026-11-20", Waivers())
    assert judge.refuses(other) is TournamentReason.OTHER_EDITION
    judge.opens()
    again = replace(other, rules=RuleSet(judge.rules.key))
    assert judge.refuses(again) is TournamentReason.ALREADY_OPEN


@pytest.mark.parametrize(
    ("waivers", "allowed", "reason"),
    [
        (Waivers(rounds=0), True, TournamentReason.ROUNDS_OUT_OF_RANGE),
        (Waivers(rounds=6), True, TournamentReason.MORE_ROUNDS_THAN_PRINTED),
        (Waivers(time_limit_min=0), True, TournamentReason.TIME_LIMIT_OUT_OF_RANGE),
        (Waivers(rounds=2), False, TournamentReason.WAIVER_NOT_ALLOWED),
        (Waivers(time_limit_min=60), False, TournamentReason.WAIVER_NOT_ALLOWED),
    ],
)
def test_s1_3_a_waiver_out_of_range_or_that_the_edition_does_not_allow_is_refused(
    rules: Edition, waivers: Waivers, reason: TournamentReason, *, allowed: bool
) -> None:
    judge = Judge(rules if allowed else replace(rules, waivers=()))
    assert refused(judge.opens, waivers=waivers) is reason


def test_a_state_of_another_edition_is_our_own_fault(judge: Judge, rules: Edition) -> None:
    with pytest.raises(OurFault):
        decide(judge.state, PublishDraw(), replace(rules, key="house"), "Judge")


def test_players_join_all_or_none(judge: Judge) -> None:
    new = Player(PlayerId("n"), "New")
    assert judge.refuses(RegisterPlayers(())) is TournamentReason.NOBODY_GIVEN
    assert judge.refuses(RegisterPlayers((new, new))) is TournamentReason.PLAYER_TWICE
    assert judge.refuses(RegisterPlayers((replace(new, name="  "),))) is TournamentReason.EMPTY_NAME
    judge.does(RegisterPlayers((replace(new, name="  Wild   Bill "),)))
    assert judge.state.entrants[-1].name == "Wild Bill"


def test_two_of_the_same_name_need_different_clubs(rules: Edition) -> None:
    judge = Judge(rules).opens()
    judge.does(RegisterPlayers((Player(PlayerId("a"), "Ann", "Turin"), Player(PlayerId("b"), "Ann", "Rome"))))
    with pytest.raises(Refused, match=r"ANN \(turin\) and Ann \(Turin\) can't be told apart"):
        judge.does(RegisterPlayers((Player(PlayerId("c"), "ANN", "turin"),)))
    assert judge.refuses(RenamePlayer(PlayerId("b"), "ann", "Turin")) is TournamentReason.SAME_NAME
    judge.does(RenamePlayer(PlayerId("b"), "Anna", "Turin"))
    assert judge.state.entrants[1].name == "Anna"
    assert judge.refuses(RenamePlayer(PlayerId("z"), "Zoe", "")) is TournamentReason.UNKNOWN_PLAYER


def test_a_player_registered_by_mistake_is_removed_until_the_first_draw(judge: Judge) -> None:
    judge.does(RegisterPlayers((Player(PlayerId("x"), "Twice"),)))
    judge.does(RemovePlayer(PlayerId("x")))
    assert judge.state.entrant(PlayerId("x")) is None
    judge.does(RegisterPlayers((Player(PlayerId("x"), "Another"),)))
    assert judge.refuses(RemovePlayer(PlayerId("nobody"))) is TournamentReason.UNKNOWN_PLAYER
    judge.draws_tables()
    assert judge.refuses(RemovePlayer(PlayerId("x"))) is TournamentReason.IN_A_DRAW


def test_late_entry_is_refused_after_the_first_published_draw_and_not_before(judge: Judge) -> None:
    judge.draws_tables()
    judge.does(RegisterPlayers((Player(PlayerId("late"), "Late"),)))
    assert judge.refuses(PublishDraw()) is TournamentReason.DRAW_IS_STALE
    judge.publishes()
    later = RegisterPlayers((Player(PlayerId("later"), "Later"),))
    assert judge.refuses(later) is TournamentReason.LATE_ENTRY


def test_d01_nine_players_cannot_start_officially_and_seven_can_unofficially(rules: Edition) -> None:
    official = Judge(rules).opens(7)
    assert official.refuses(SealDraw(seed=seed(1))) is TournamentReason.BELOW_MINIMUM
    waived = Judge(rules).opens(7, unofficial=True)
    drawn = waived.publishes()
    assert [len(table.players) for table in drawn.tables] == [7]
    assert waived.state.rounds_planned == 3
    eight = Judge(rules).opens(8, unofficial=True)
    assert eight.refuses(SealDraw(seed=seed(1))) is TournamentReason.NO_TABLES


def test_a_draw_is_sealed_made_and_published_in_this_order(judge: Judge) -> None:
    assert judge.refuses(MakeDraw()) is TournamentReason.NOTHING_SEALED
    assert judge.refuses(PublishDraw()) is TournamentReason.NOTHING_DRAWN
    assert judge.refuses(SealDraw(seed="1234")) is TournamentReason.BAD_SEED
    judge.does(SealDraw(seed=seed(1)))
    assert judge.stage() is Stage.SEALED
    assert judge.refuses(PublishDraw()) is TournamentReason.NOTHING_DRAWN
    assert judge.refuses(SealDraw(seed=seed(1))) is TournamentReason.SEED_USED
    judge.does(MakeDraw(hall_word="  cactus "))
    assert judge.stage() is Stage.DRAWN
    assert judge.state.rounds[-1].hall_word == "cactus"
    assert judge.refuses(MakeDraw()) is TournamentReason.DRAWN_ALREADY
    judge.does(PublishDraw())
    assert judge.stage() is Stage.PLAYING
    assert judge.refuses(SealDraw(seed=seed(2))) is TournamentReason.ROUND_RUNS


def test_a_redraw_is_the_next_attempt_and_undo_does_not_turn_the_count_back(judge: Judge) -> None:
    judge.draws_tables()
    judge.draws_tables()
    assert judge.state.rounds[-1].attempt == 2
    judge.does(UndoSteps(4, "wrong list"))
    assert not judge.state.rounds
    judge.draws_tables()
    assert judge.state.rounds[-1].attempt == 3
    assert judge.state.rounds[-1].tables[0].game == "open-r1-t1-a3"


def test_s1_1_nobody_is_sheriff_twice_in_five_rounds_of_27(rules: Edition) -> None:
    judge = Judge(rules).opens(27)
    judge.plays_rounds(5)
    assert judge.stage() is Stage.FINISHED
    assert sorted(len(entrant.sheriff_in) for entrant in judge.state.entrants) == [0, 0] + [1] * 25
    assert judge.refuses(SealDraw(seed=seed("more"))) is TournamentReason.ALL_ROUNDS_PLAYED


def test_d04_d06_withdrawals_change_tables_but_not_rounds_and_may_force_a_sheriff_twice(
    rules: Edition,
) -> None:
    judge = Judge(rules).opens(25)
    judge.plays_rounds(4)
    fresh = [entrant.player for entrant in judge.state.entrants if not entrant.sheriff_in]
    for player in fresh[:2]:
        judge.does(WithdrawPlayer(player, "train to catch"))
    last = judge.publishes()
    assert judge.state.rounds_planned == 5
    assert [len(table.players) for table in last.tables] == [6, 6, 6, 5]
    assert len(last.repeated_sheriffs) == 1


def test_d05_when_eight_are_left_the_judge_may_end_after_the_rounds_played(judge: Judge) -> None:
    judge.plays_round()
    for player in players(10)[:2]:
        judge.does(WithdrawPlayer(player.player, "ill"))
    assert judge.refuses(SealDraw(seed=seed("next"))) is TournamentReason.NO_TABLES
    judge.does(ChangeWaivers(Waivers(rounds=1), "eight players are left"))
    assert judge.stage() is Stage.FINISHED


def test_s1_3_rounds_never_fall_below_those_drawn_nor_rise_above_the_printed(judge: Judge) -> None:
    judge.plays_round()
    judge.draws_tables()
    assert judge.refuses(ChangeWaivers(Waivers(rounds=1), "late")) is TournamentReason.ROUNDS_ALREADY_DRAWN
    assert judge.refuses(ChangeWaivers(Waivers(rounds=4), "fun")) is TournamentReason.MORE_ROUNDS_THAN_PRINTED
    assert judge.refuses(ChangeWaivers(Waivers(rounds=2), " ")) is TournamentReason.EMPTY_REASON
    judge.does(ChangeWaivers(Waivers(rounds=2), "late"))
    assert judge.state.rounds_planned == 2
    judge.does(ChangeWaivers(Waivers(), "early after all"))
    assert judge.state.rounds_planned == 3


def test_a_sheet_must_be_of_its_table_and_possible_and_comes_once(judge: Judge) -> None:
    drawn = judge.publishes()
    first, second = drawn.tables
    good = outlaws_won(drawn, first)
    paper = Source.PAPER
    assert judge.refuses(AcceptSheet(GameId("x"), good, paper)) is TournamentReason.UNKNOWN_GAME
    assert judge.refuses(AcceptSheet(second.game, good, paper)) is TournamentReason.OTHER_TABLE
    swapped = replace(good, players=tuple(reversed(good.players)))
    assert judge.refuses(AcceptSheet(first.game, swapped, paper)) is TournamentReason.OTHER_PLAYERS
    wrong = replace(good, ending=Ending.LAW_WINS)
    assert judge.refuses(AcceptSheet(first.game, wrong, paper)) is GameReason.LAW_WITHOUT_SHERIFF
    assert judge.refuses(CorrectSheet(first.game, good, "typo")) is TournamentReason.NO_SHEET_TO_CORRECT
    judge.accepts(first)
    assert judge.refuses(AcceptSheet(first.game, good, paper)) is TournamentReason.SHEET_TWICE
    assert judge.stage() is Stage.PLAYING
    judge.accepts(second)
    assert judge.stage() is Stage.BETWEEN


def test_a_correction_needs_a_reason_and_a_difference_and_changes_the_standings(judge: Judge) -> None:
    drawn = judge.plays_round()
    table = drawn.tables[0]
    mended = time_was_up(drawn, table)
    assert judge.refuses(CorrectSheet(table.game, mended, "")) is TournamentReason.EMPTY_REASON
    same = CorrectSheet(table.game, outlaws_won(drawn, table), "x")
    assert judge.refuses(same) is TournamentReason.NOTHING_CORRECTED
    judge.does(CorrectSheet(table.game, mended, "two sheets were swapped"))
    assert judge.state.rounds[0].sheets[0].corrections == ("two sheets were swapped",)
    scores = {row.player: row.score for row in standings_of(judge.state, judge.rules).rows}
    assert sum(scores[player] for player in table.players) == 0


def test_s3_the_second_warning_ejects_in_the_same_step(judge: Judge) -> None:
    assert [type(event) for event in judge.does(WarnPlayer(P1, "slow play"))] == [WarnPlayer]
    warned, ejected = judge.does(WarnPlayer(P1, "swearing"))
    assert isinstance(warned, WarnPlayer)
    assert isinstance(ejected, EjectPlayer)
    assert ejected.automatic
    entrant = judge.state.entrants[0]
    assert entrant.ejected
    assert [warning.reason for warning in entrant.warnings] == ["slow play", "swearing"]
    assert judge.refuses(WarnPlayer(P1, "again")) is TournamentReason.PLAYER_IS_OUT
    judge.does(UndoSteps(1, "mistaken"))
    assert not judge.state.entrants[0].is_out
    assert len(judge.state.entrants[0].warnings) == 1


def test_s1_4_leaving_in_a_running_game_is_told_from_leaving_between_rounds(judge: Judge) -> None:
    judge.does(EjectPlayer(PlayerId("p010"), "showed the role card"))
    judge.does(RegisterPlayers((Player(PlayerId("x"), "X"),)))
    drawn = judge.publishes()
    judge.accepts(drawn.tables[0])
    done, running = drawn.tables[0].players[1], drawn.tables[1].players[1]
    (event,) = judge.does(WithdrawPlayer(done, "ill"))
    assert getattr(event, "during", 0) is None
    (event,) = judge.does(EjectPlayer(running, "cheating"))
    assert getattr(event, "during", 0) == 1
    rounds_left = {
        entrant.player: entrant.out_after_round for entrant in judge.state.entrants if entrant.is_out
    }
    assert rounds_left == {PlayerId("p010"): None, done: 1, running: 1}
    assert judge.refuses(WithdrawPlayer(done, "ill")) is TournamentReason.PLAYER_IS_OUT
    left = {TournamentReason.EMPTY_REASON, TournamentReason.PLAYER_IS_OUT}
    assert judge.refuses(WithdrawPlayer(P1, "")) in left


def test_a_player_who_left_after_the_draw_makes_it_stale(rules: Edition) -> None:
    judge = Judge(rules).opens(11)
    judge.draws_tables()
    judge.does(WithdrawPlayer(P1, "ill"))
    with pytest.raises(Refused, match="Player 1 joined or left after this draw"):
        judge.does(PublishDraw())
    judge.publishes()
    assert P1 not in {player for table in judge.state.rounds[-1].tables for player in table.players}


def test_a_refusal_tells_players_of_one_name_apart(judge: Judge) -> None:
    namesakes = (Player(PlayerId("a"), "Ann Lee", "Rome"), Player(PlayerId("b"), "Ann Lee", "Oslo"))
    judge.does(RegisterPlayers(namesakes))
    names = [name_of(judge.state, PlayerId(player)) for player in ("a", "b", "nobody")]
    assert names == ["Ann Lee (Rome)", "Ann Lee (Oslo)", "nobody"]


def test_s1_2_the_ranking_needs_all_rounds_and_lots_for_unbroken_ties(rules: Edition) -> None:
    judge = Judge(rules).opens(10, Waivers(rounds=1))
    drawn = judge.publishes()
    assert judge.refuses(PublishRanking()) is TournamentReason.NOT_FINISHED
    assert judge.refuses(DrawLots(seed("lots"))) is TournamentReason.NOT_FINISHED
    for table in drawn.tables:
        judge.accepts(table)
    assert judge.refuses(PublishRanking()) is TournamentReason.TIED
    assert judge.refuses(DrawLots("no seed")) is TournamentReason.BAD_SEED
    assert judge.refuses(DrawLots(drawn.seed)) is TournamentReason.SEED_USED
    judge.does(DrawLots(seed("lots")))
    assert standings_of(judge.state, judge.rules).draw_groups == ()
    assert judge.refuses(DrawLots(seed("more"))) is TournamentReason.NOTHING_TIED
    judge.does(PublishRanking())
    assert judge.stage() is Stage.PUBLISHED


def test_after_publication_only_taking_it_back_is_possible(rules: Edition) -> None:
    judge = Judge(rules).opens(10, Waivers(rounds=1)).plays_rounds()
    judge.does(DrawLots(seed("lots")))
    judge.does(PublishRanking())
    drawn = judge.state.rounds[0]
    table = drawn.tables[0]
    for command in (
        CorrectSheet(table.game, time_was_up(drawn, table), "late protest"),
        AcceptSheet(table.game, outlaws_won(drawn, table), Source.PAPER),
        WithdrawPlayer(P1, "ill"),
        WarnPlayer(P1, "slow"),
        EjectPlayer(P1, "cheating"),
        RenamePlayer(P1, "One", ""),
        ChangeWaivers(Waivers(), "more"),
        SealDraw(seed=seed("s")),
        MakeDraw(),
        PublishDraw(),
        DrawLots(seed("t")),
    ):
        assert judge.refuses(command) is TournamentReason.RANKING_IS_PUBLIC
    assert judge.refuses(PublishRanking()) is TournamentReason.RANKING_TWICE
    judge.does(UndoSteps(1, "protest of table 1 is right"))
    judge.does(CorrectSheet(table.game, time_was_up(drawn, table), "protest of table 1"))


@pytest.mark.parametrize(("steps", "reason"), [(0, "x"), (2, "x"), (-1, "x"), (1, "  ")])
def test_undo_needs_a_reason_and_never_takes_back_the_opening(judge: Judge, steps: int, reason: str) -> None:
    expected = TournamentReason.STEPS_OUT_OF_RANGE if reason.strip() else TournamentReason.EMPTY_REASON
    assert judge.refuses(UndoSteps(steps, reason)) is expected


def test_a_published_draw_is_taken_back_with_everything_built_on_it(judge: Judge) -> None:
    drawn = judge.publishes()
    judge.accepts(drawn.tables[0])
    judge.does(UndoSteps(2, "the list was wrong"))
    assert judge.stage() is Stage.DRAWN
    assert judge.state.rounds[0].sheets == ()
    assert all(not entrant.sheriff_in for entrant in judge.state.entrants)
    judge.does(UndoSteps(2, "all of it"))
    assert judge.stage() is Stage.REGISTRATION
