"""A season over several tournaments, by a rule as data."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.errors import BadData
from core.terms import TournamentId
from core.tournament.season import (
    USUAL_RULE,
    RankedPlayer,
    SeasonRule,
    SharedPlaces,
    alike_names,
    read_season_rule,
    season_ranking,
)

SPRING, SUMMER, AUTUMN = TournamentId("spring"), TournamentId("summer"), TournamentId("autumn")


def ranking(*names: str) -> list[RankedPlayer]:
    return [RankedPlayer(name, "", place, place, 0) for place, name in enumerate(names, 1)]


def test_points_of_all_tournaments_are_added() -> None:
    rule = read_season_rule(USUAL_RULE)
    rows = season_ranking(rule, {SPRING: ranking("Ann", "Bob", "Cy"), SUMMER: ranking("bob", " Ann ")})
    assert [(row.rank, row.name, int(row.points)) for row in rows] == [
        (1, " Ann ", 45), (1, "bob", 45), (3, "Cy", 16),
    ]  # fmt: skip
    assert rows[2].results[SPRING].first == 3
    assert SUMMER not in rows[2].results


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("D'Angelo", "D’Angelo"), ("Niccolò", "Niccolo'"), ("José", "Jose\u0301"), ("Rossi Ada", "Ada Rossi"),
        ("Anna-Maria", "Anna\u2011Maria"), ("Ada", "A\u200dda"), ("İrem", "irem"),
    ],
)  # fmt: skip
def test_one_person_has_one_row_however_the_name_was_typed(one: str, other: str) -> None:
    rows = season_ranking(SeasonRule(places=(3,)), {SPRING: ranking(one), SUMMER: ranking(other)})
    assert [int(row.points) for row in rows] == [6]


def test_names_that_are_only_alike_are_asked_about_and_not_joined() -> None:
    spring, summer = ["Anna Müller", "Ea De Luca", "Bob"], ["Anna Mueller", "Deluca Ea", "bob", "Jo", "Joe"]
    assert alike_names([spring, summer]) == (("Anna Mueller", "Anna Müller"), ("Ea De Luca", "Deluca Ea"))
    rows = season_ranking(SeasonRule(places=(3,)), {SPRING: ranking(*spring), SUMMER: ranking(*summer)})
    assert len(rows) == 7


def test_a_crowd_of_names_that_are_all_alike_is_not_compared_in_pairs() -> None:
    names = ["".join(letters) for letters in product(("a", "ae"), repeat=12)]
    assert len(alike_names([[name] for name in names[:20]])) == 190
    assert alike_names([[name] for name in names]) == ()


def test_two_people_of_one_club_and_almost_one_name_keep_their_own_points() -> None:
    spring = [RankedPlayer("Niccolò", "Roma", 1, 1, 0), RankedPlayer("Niccolo", "Roma", 2, 2, 0)]
    rows = season_ranking(SeasonRule(places=(3, 2)), {SPRING: spring, SUMMER: spring})
    assert [(row.name, int(row.points)) for row in rows] == [("Niccolò", 6), ("Niccolo", 4)]


def test_only_the_best_results_count() -> None:
    rule = SeasonRule(places=(10, 6, 3), best=2)
    rows = season_ranking(
        rule,
        {SPRING: ranking("Ann", "Bob"), SUMMER: ranking("Cy", "Dan", "Ann"), AUTUMN: ranking("Bob", "Ann")},
    )
    ann = next(row for row in rows if row.name == "Ann")
    assert ann.points == 16
    assert [result.counts for result in ann.results.values()] == [True, False, True]


def test_with_equal_points_the_better_places_come_first() -> None:
    rule = SeasonRule(places=(4, 2, 2))
    rows = season_ranking(rule, {SPRING: ranking("Ann", "Bob"), SUMMER: ranking("Cy", "Bob")})
    assert [(row.rank, row.name) for row in rows] == [(1, "Ann"), (1, "Cy"), (3, "Bob")]
    assert rows[2].points == rows[0].points == 4


def test_shared_places_by_the_rule() -> None:
    """Places 3 and 4."""
    for shared, points in ((SharedPlaces.EACH, 4), (SharedPlaces.MEAN, 3)):
        assert SeasonRule(places=(8, 6, 4, 2), shared=shared).points(3, 4, 0) == points


def test_dollars_count_exactly_and_debts_never() -> None:
    rule = SeasonRule(places=(), per_thousand_dollars=2)
    assert rule.points(1, 1, 1250) == Fraction(5, 2)
    assert rule.points(1, 1, -400) == 0


def test_clubs_tell_two_people_of_one_name_apart() -> None:
    rule = SeasonRule(places=(3, 2, 1))
    here = [RankedPlayer("Ann", "Rome", 1, 1, 0), RankedPlayer("Ann", "Turin", 2, 2, 0)]
    there = [RankedPlayer("Ann", "rome", 1, 1, 0)]
    rows = season_ranking(rule, {SPRING: here, SUMMER: there})
    assert [(row.club, int(row.points)) for row in rows] == [("rome", 6), ("Turin", 2)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("places = [1", "not TOML"),
        ("", "the key places is missing"),
        ("places = [1]\npionts = 2", "pionts: unknown key"),
        ("places = [5, 3, 4]", "places[2]: is 3, and the place after it gets 4"),
        ("places = [1]\nother_places = 2", "places[1]: is 1, and the place after it gets 2"),
        ("places = [1]\nbest = -1", "line 2: best: is -1; allowed is 0 or more"),
        ('places = [1]\nshared = "all"', "shared: found 'all'; allowed: each, mean"),
        ('places = ["x"]', "places[1]: expected a whole number"),
    ],
)
def test_a_wrong_rule_is_explained(text: str, problem: str) -> None:
    with pytest.raises(BadData) as bad:
        read_season_rule(text)
    assert problem in str(bad.value)


@given(st.lists(st.integers(1, 30), min_size=1, max_size=20, unique=True), st.integers(0, 4))
def test_the_sum_of_points_is_that_of_the_counted_results(places: list[int], best: int) -> None:
    rule = SeasonRule(places=tuple(range(30, 0, -1)), best=best)
    rankings = {
        TournamentId(str(number)): [RankedPlayer("Ann", "", place, place, 0)]
        for number, place in enumerate(places)
    }
    (row,) = season_ranking(rule, rankings)
    counted = sorted((31 - place for place in places), reverse=True)[: best or None]
    assert row.points == sum(counted)
