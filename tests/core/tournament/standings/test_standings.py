"""Standings: score, Marogi, matches won, lot, bonus; withdrawn players at the bottom."""

from fractions import Fraction
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core.editions.edition import Edition
from core.editions.loader import edition
from core.editions.readings import MarogiAverage, MarogiScores, TieBreakOpponents
from core.proof.lines import published_rows
from core.terms import Dollars, PlayerId
from core.tournament.draw.draw_algorithm import lot_order
from core.tournament.penalties import WithdrawPlayer
from core.tournament.registration import RegisterPlayers
from core.tournament.standings.ledger import Contender, GameResult, accepted_results, contenders
from core.tournament.standings.ranking import DrawLots
from core.tournament.standings.standings import (
    OpenBonus,
    Rank,
    Standings,
    rounds_standings,
    standings,
    standings_of,
)
from core.tournament.standings.tie_breaks import NoValue
from core.tournament.state.tournament import Player
from tests.core.tournament.conftest import Judge, row_of, seed, time_was_up

RULES = edition("championship-2022")


def game(players: str, payout: list[int], winners: str = "") -> GameResult:
    return GameResult(
        tuple(PlayerId(player) for player in players),
        tuple(PlayerId(player) for player in winners),
        tuple(Dollars(amount) for amount in payout),
    )


def entered(players: str, withdrawn: str = "") -> tuple[Contender, ...]:
    return tuple(Contender(PlayerId(player), withdrawn=player in withdrawn) for player in players)


def read(**readings: object) -> Edition:
    return replace(RULES, readings=replace(RULES.readings, **readings))


def marogi(played: list[GameResult], player: str = "a", rules: Edition = RULES) -> object:
    everybody = sorted({one for result in played for one in result.players} | {PlayerId(player)})
    return row_of(standings(played, entered("".join(everybody)), rules), player).marogi


def ranks(ranking: Standings) -> dict[str, str]:
    return {row.player: "left" if row.rank is None else str(row.rank) for row in ranking.rows}


def test_s1_2_the_highest_score_is_first_and_four_get_the_bonus_once() -> None:
    ranking = standings([game("abcde", [1, 5, 3, 2, 4])], entered("abcde"), RULES)
    assert [(row.player, row.score, row.bonus, row.final_score) for row in ranking.rows] == [
        ("b", 5, 100, 105),
        ("e", 4, 100, 104),
        ("c", 3, 100, 103),
        ("d", 2, 100, 102),
        ("a", 1, 0, 1),
    ]


def test_s1_2_marogi_is_the_exact_average_of_the_opponents_scores_before_the_bonus() -> None:
    ranking = standings([game("abc", [100, 0, 1]), game("ad", [0, 0])], entered("abcd"), RULES)
    row = row_of(ranking, "a")
    assert row.marogi == Fraction(1, 3)
    assert [str(key.key.value) for key in row.keys] == ["marogi", "matches_won"]


def test_s1_2_matches_won_break_a_tie_that_marogi_leaves() -> None:
    ranking = standings([game("ab", [7, 7], "b")], entered("ab"), RULES)
    assert ranks(ranking) == {"b": "1", "a": "2"}


def test_s1_2_a_tie_that_nothing_breaks_shares_its_places_until_a_lot_is_drawn() -> None:
    played = [game("abcdef", [9, 5, 5, 0, 0, 1], "bc")]
    ranking = standings(played, entered("abcdef"), RULES)
    assert ranking.draw_groups == (("b", "c"), ("d", "e"))
    assert ranking.ranking == (("a",), ("b", "c"), ("f",), ("d", "e"))
    b = row_of(ranking, "b")
    assert (b.rank, b.bonus, b.bonus_by_draw) == (Rank(2, 3), 100, False)
    drawn = standings(played, entered("abcdef"), RULES, [[PlayerId("c"), PlayerId("b")]])
    assert (ranks(drawn)["c"], ranks(drawn)["b"]) == ("2", "3")
    assert [row.lot for row in drawn.rows] == [None, 1, 2, None, None, None]


def test_d22_a_tie_across_place_four_leaves_its_bonus_to_the_lot() -> None:
    played = [game("abcde", [9, 8, 7, 5, 5])]
    ranking = standings(played, entered("abcde"), RULES)
    assert ranking.open_bonuses == (OpenBonus((PlayerId("d"), PlayerId("e")), 1),)
    assert [row.bonus_by_draw for row in ranking.rows] == [False, False, False, True, True]
    drawn = standings(played, entered("abcde"), RULES, [[PlayerId("e"), PlayerId("d")]])
    assert drawn.open_bonuses == ()
    assert sum(row.bonus for row in drawn.rows) == 400
    assert drawn.rows[3].player == "e"


def test_a_lot_counts_only_where_exactly_its_players_are_tied() -> None:
    lot = [[PlayerId("a"), PlayerId("b"), PlayerId("c")]]
    ranking = standings([game("abc", [5, 5, 3])], entered("abc"), RULES, lot)
    assert ranking.draw_groups == (("a", "b"),)


def test_d21_withdrawn_players_stand_at_the_bottom_without_bonus_and_count_for_their_opponents() -> None:
    ranking = standings([game("abcdef", [1, 2, 3, 4, 5, 60])], entered("abcdef", "f"), RULES)
    assert ranks(ranking) == {"e": "1", "d": "2", "c": "3", "b": "4", "a": "5", "f": "left"}
    assert ranking.rows[-1].bonus == 0
    assert ranking.rows[-1].withdrawn
    assert ranking.rows[0].marogi == Fraction(70, 5)
    without = read(withdrawn_count_for_opponents=False)
    other = standings([game("abcdef", [1, 2, 3, 4, 5, 60])], entered("abcdef", "f"), without)
    assert other.rows[0].marogi == Fraction(10, 4)


def test_d19_an_opponent_met_twice_counts_twice_or_once() -> None:
    played = [game("ab", [0, 30]), game("ab", [0, 0]), game("ac", [0, 0])]
    assert marogi(played) == Fraction(20)
    assert marogi(played, rules=read(tiebreak_opponents=TieBreakOpponents.DISTINCT)) == Fraction(15)


def test_d18_the_marogi_may_count_the_money_of_the_games_played_together() -> None:
    played = [game("ab", [0, 30]), game("ab", [0, 10]), game("ac", [0, 20]), game("bc", [500, 700])]
    common = {"marogi_scores": MarogiScores.COMMON_MATCHES}
    assert marogi(played, rules=read(**common)) == Fraction(30 + 10 + 20, 3)
    once = read(**common, tiebreak_opponents=TieBreakOpponents.DISTINCT)
    assert marogi(played, rules=once) == Fraction(40 + 20, 2)
    assert marogi(played) == Fraction(540 + 540 + 720, 3)


@pytest.mark.parametrize(
    ("average", "expected"),
    [(MarogiAverage.PER_OPPONENT, Fraction(60, 3)), (MarogiAverage.PER_MATCH, Fraction(60, 2))],
)
def test_d50_the_marogi_is_divided_by_opponents_or_matches(
    average: MarogiAverage, expected: Fraction
) -> None:
    played, rules = [game("abc", [0, 10, 20]), game("ad", [0, 30])], read(marogi_average=average)
    assert marogi(played, rules=rules) == expected
    assert marogi(played, "e", rules) is NoValue.MET_NOBODY


def test_a_player_who_met_nobody_has_no_marogi_and_comes_after_those_who_have() -> None:
    ranking = standings([game("ab", [0, 0], "ab")], entered("abc"), RULES)
    assert ranks(ranking)["c"] == "3"
    assert ranking.rows[2].marogi is NoValue.MET_NOBODY
    assert ranking.rows[2].games == 0


@pytest.mark.parametrize(
    ("players", "fault"), [("ab", "plays, but is not entered: c"), ("abcc", "entered twice: c")]
)
def test_a_result_of_a_stranger_or_a_player_entered_twice_is_an_error(players: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        standings([game("abc", [1, 2, 3])], entered(players), RULES)


@pytest.mark.parametrize(
    ("players", "payout", "winners"), [("ab", [1], ""), ("aa", [1, 2], ""), ("ab", [1, 2], "c")]
)
def test_a_result_that_does_not_fit_cannot_be_made(players: str, payout: list[int], winners: str) -> None:
    with pytest.raises(ValueError, match=r"amounts|seats|seat"):
        game(players, payout, winners)


GAMES = st.lists(
    st.lists(st.sampled_from("abcdefghij"), min_size=5, max_size=7, unique=True).flatmap(
        lambda seats: st.tuples(
            st.just("".join(seats)),
            st.lists(st.sampled_from([0, 1200, 1800]), min_size=len(seats), max_size=len(seats)),
            st.sets(st.sampled_from(seats)).map("".join),
        )
    ),
    max_size=8,
)


@pytest.mark.slow
@given(GAMES, st.sets(st.sampled_from("abcdefghij"), max_size=4))
def test_no_dollar_is_lost_and_every_player_has_one_row(
    played: list[tuple[str, list[int], str]], left: set[str]
) -> None:
    results = [game(*one) for one in played]
    ranking = standings(results, entered("abcdefghij", "".join(left)), RULES)
    assert sum(row.score for row in ranking.rows) == sum(sum(result.payout) for result in results)
    assert sorted(row.player for row in ranking.rows) == list("abcdefghij")
    assert sum(row.final_score for row in ranking.rows) == sum(row.score + row.bonus for row in ranking.rows)
    open_count = sum(bonus.bonuses for bonus in ranking.open_bonuses)
    ranked = [row for row in ranking.rows if row.rank is not None]
    assert sum(row.bonus for row in ranked) + 100 * open_count == 100 * min(4, len(ranked))


@pytest.mark.slow
@given(GAMES)
def test_lots_for_all_ties_give_a_strict_order(played: list[tuple[str, list[int], str]]) -> None:
    results = [game(*one) for one in played]
    tied = standings(results, entered("abcdefghij"), RULES).draw_groups
    ranking = standings(results, entered("abcdefghij"), RULES, [tuple(reversed(group)) for group in tied])
    assert (ranking.draw_groups, ranking.open_bonuses) == ((), ())
    assert [row.rank for row in ranking.rows] == [Rank(place, place) for place in range(1, 11)]


def test_start_money_is_part_of_the_score() -> None:
    rich: Edition = replace(RULES, start_money=Dollars(5000))
    ranking = standings([game("ab", [1, 2])], entered("ab"), rich)
    assert [row.score for row in ranking.rows] == [5002, 5001]


NAMES = ("zoe", "Øyvind", "Émile", "D’Angelo", "Bea", "adam", "Åsa", "Carlo", "ida", "Fiona")
ALPHABETICAL = ("adam", "Åsa", "Bea", "Carlo", "D’Angelo", "Émile", "Fiona", "ida", "Øyvind", "zoe")


@pytest.fixture
def ten() -> Judge:
    judge = Judge(edition("championship-2022")).opens()
    people = tuple(Player(PlayerId(f"p{number:03}"), name) for number, name in enumerate(NAMES, 1))
    judge.does(RegisterPlayers(people))
    return judge


def names(judge: Judge, players: tuple[PlayerId, ...]) -> list[str]:
    by_id = {entrant.player: entrant.name for entrant in judge.state.entrants}
    return [by_id[player] for player in players]


def test_before_a_game_everybody_stands_by_name(ten: Judge) -> None:
    ranking = standings_of(ten.state, ten.rules)
    assert names(ten, tuple(row.player for row in ranking.rows)) == list(ALPHABETICAL)
    assert ranking.draw_groups == (tuple(row.player for row in ranking.rows),)


def test_ties_after_a_game_and_players_who_left_stand_by_name(ten: Judge) -> None:
    ten.plays_round()
    for player in ("p001", "p006"):
        ten.does(WithdrawPlayer(PlayerId(player), "went home"))
    ranking = rounds_standings(ten.state, ten.rules)
    ties = [tuple(row.player for row in tie) for _, tie in groupby(ranking.rows, lambda row: row.rank)]
    assert max(map(len, ties)) > 1
    for tie in ranking.draw_groups:
        assert names(ten, tie) == sorted(names(ten, tie), key=ALPHABETICAL.index)
        assert tie in ties


def test_proof_packs_keep_the_order_that_older_packs_have(ten: Judge) -> None:
    ten.plays_round()
    ten.does(WithdrawPlayer(PlayerId("p001"), "went home"))
    older = standings(accepted_results(ten.state, ten.rules), contenders(ten.state), ten.rules)
    current = standings_of(ten.state, ten.rules)
    assert older.rows != current.rows
    assert published_rows(current) == published_rows(older)
    assert [row.player for row in published_rows(older)] == [row.player for row in older.rows]


def test_the_lot_does_not_depend_on_names(ten: Judge) -> None:
    ten.plays_rounds(3, time_was_up)
    by_number = [sorted(group) for group in standings_of(ten.state, ten.rules).draw_groups]
    (drawn,) = ten.does(DrawLots(seed("lots")))
    assert isinstance(drawn, DrawLots)
    assert drawn.groups == lot_order(seed("lots"), by_number)
