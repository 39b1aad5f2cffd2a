"""Scores and budgets of every kind: sums, averages, what was spent; Buchholz and the ties of 2003."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core.characters import Character
from core.editions.edition import Edition, TieBreak
from core.editions.loader import edition
from core.editions.readings import BuchholzFurtherTie, TieBreakOpponents
from core.game.ending.finished_game import FinishedGame
from core.game.state.game import Stake
from core.rule_set import OptionKey
from core.terms import Dollars, PlayerId, Role, RoundNo
from core.tournament.consequences import consequences
from core.tournament.sheets import CorrectSheet
from core.tournament.standings.ledger import (
    Contender,
    GameResult,
    budgets,
    is_money_spent,
    nearest_dollar,
    stakes,
)
from core.tournament.standings.standings import Standings, standings
from core.tournament.state.rounds import DrawnTable, Round
from tests.core.game.auction.conftest import RULES_2010, rules_2003
from tests.core.tournament.conftest import Judge, outlaws_won, row_of

SUMS = edition("championship-2010")
AVERAGES = edition("official-2003")
ENLISTED = replace(AVERAGES, chosen=(OptionKey.ENLISTMENT,))
ROLES = (Role.SHERIFF, Role.RENEGADE, Role.DEPUTY, Role.OUTLAW)


def game(payout: list[int], spent: list[int] | None = None, winners: str = "", **more: object) -> GameResult:
    names = "abcdefgh"[: len(payout)]
    result = GameResult(
        players=tuple(PlayerId(name) for name in names),
        winners=tuple(PlayerId(name) for name in winners),
        payout=tuple(Dollars(amount) for amount in payout),
        spent=tuple(Dollars(amount) for amount in spent or ()),
    )
    return replace(result, **more)


def ranked(results: list[GameResult], rules: Edition) -> Standings:
    names = sorted({player for result in results for player in result.players})
    return standings(results, [Contender(name) for name in names], rules)


def read(rules: Edition, **readings: object) -> Edition:
    return replace(rules, readings=replace(rules.readings, **readings))


def scores(ranking: Standings) -> dict[str, int]:
    return {row.player: row.score for row in ranking.rows}


def test_what_was_spent_is_taken_off_start_money_and_winnings() -> None:
    ranking = ranked([game([3000, 0], [800, 100]), game([0, 2000], [0, 300])], SUMS)
    assert scores(ranking) == {"a": 5000 + 3000 - 800, "b": 5000 + 2000 - 400}


@pytest.mark.parametrize(
    ("amount", "dollars"),
    [
        (Fraction(5, 2), 3),
        (Fraction(-5, 2), -3),
        (Fraction(7, 3), 2),
        (Fraction(8, 3), 3),
        (Fraction(-8, 3), -3),
        (Fraction(-1, 3), 0),
        (Fraction(4), 4),
    ],
)
def test_d29_an_average_goes_to_the_nearest_dollar_and_a_half_away_from_zero(
    amount: Fraction, dollars: int
) -> None:
    assert nearest_dollar(amount) == dollars


def test_d29_ties_are_judged_on_the_rounded_score() -> None:
    played = [game([1000, 1001], winners="a", roles=(Role.SHERIFF, Role.OUTLAW))] * 3
    played.append(game([1000, 999]))
    ranking = ranked(played, AVERAGES)
    assert scores(ranking) == {"a": 1000, "b": 1001}
    played.append(game([1, 0]))
    ranking = ranked(played, AVERAGES)
    assert scores(ranking) == {"a": 800, "b": 800}
    assert [row.total for row in ranking.rows] == [4001, 4002]
    assert [row.player for row in ranking.rows] == ["a", "b"]


def test_a_player_who_left_is_averaged_over_the_games_really_played() -> None:
    longer = game([3000, 0])
    shorter = GameResult((PlayerId("b"),), (), (Dollars(1000),))
    ranking = standings(
        [longer, shorter], [Contender(PlayerId("a"), withdrawn=True), Contender(PlayerId("b"))], AVERAGES
    )
    assert scores(ranking) == {"a": 3000, "b": 500}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Role.SHERIFF, Role.RENEGADE),
        (Role.RENEGADE, Role.DEPUTY),
        (Role.DEPUTY, Role.OUTLAW),
    ],
)
def test_ties_of_2003_ask_sheriff_renegade_deputy_outlaw_in_this_order(first: Role, second: Role) -> None:
    played = [
        game([500, 500], winners="ab", roles=(second, first)),
        game([500, 500], winners="a", roles=(second, first)),
    ]
    ranking = ranked(played, AVERAGES)
    assert [row.player for row in ranking.rows] == ["b", "a"]


def test_d31_turns_really_played_come_last_and_uncounted_games_count_for_nobody() -> None:
    played = [game([0, 0], turns_played=(4, 5)), game([0, 0])]
    assert [row.player for row in ranked(played, AVERAGES).rows] == ["b", "a"]


def test_d20_matches_won_follow_buchholz_only_where_the_judge_reads_it_so() -> None:
    played = [game([700, 700], winners="b")]
    assert ranked(played, SUMS).draw_groups == ((PlayerId("a"), PlayerId("b")),)
    further = read(SUMS, buchholz_further_tie=BuchholzFurtherTie.MATCHES_WON)
    assert ranked(played, further).ranking == (("b",), ("a",))


def test_d19_buchholz_adds_an_opponent_met_twice_twice() -> None:
    played = [game([0, 100]), game([0, 0])]
    once = read(SUMS, tiebreak_opponents=TieBreakOpponents.DISTINCT)
    for rules, times in ((SUMS, 2), (once, 1)):
        assert row_of(ranked(played, rules), "a").value(TieBreak.BUCHHOLZ) == times * 5100


def test_d32_enlistment_gives_start_money_that_counts_only_where_it_is_read_so() -> None:
    played = [game([0, 0], [300, 700], prices=(Dollars(300), Dollars(200)))]
    assert scores(ranked(played, ENLISTED)) == {"a": 700, "b": 300}
    assert scores(ranked(played, read(ENLISTED, enlistment_in_score=False))) == {"a": 0, "b": -500}


@st.composite
def tournaments(draw: st.DrawFn) -> list[GameResult]:
    names = [PlayerId(f"p{number}") for number in range(draw(st.integers(5, 12)))]
    results = []
    for _ in range(draw(st.integers(0, 8))):
        seated = tuple(draw(st.permutations(names))[: draw(st.integers(2, 5))])
        dollars = st.lists(st.sampled_from([0, 0, 100, 200]), min_size=len(seated), max_size=len(seated))
        results.append(
            GameResult(
                players=seated,
                winners=tuple(player for player in seated if draw(st.booleans())),
                payout=tuple(Dollars(amount) for amount in draw(dollars)),
                roles=tuple(draw(st.sampled_from(ROLES)) for _ in seated),
                spent=tuple(Dollars(amount) for amount in draw(dollars)),
                turns_played=tuple(draw(st.integers(0, 2)) for _ in seated),
            )
        )
    return results


RULES = st.sampled_from((edition("championship-2022"), SUMS, AVERAGES, ENLISTED))


@pytest.mark.slow
@given(tournaments(), RULES, st.sets(st.integers(0, 12), max_size=4), st.randoms(use_true_random=False))
def test_the_order_of_games_seats_and_players_does_not_matter(
    played: list[GameResult], rules: Edition, left: set[int], random: Random
) -> None:
    everybody = sorted({player for result in played for player in result.players})
    entrants = [Contender(player, withdrawn=at in left) for at, player in enumerate(everybody)]
    ranking = standings(played, entrants, rules)
    turned = []
    for result in random.sample(played, len(played)):
        seats = random.sample(range(len(result.players)), len(result.players))
        by_seat = ("players", "payout", "roles", "spent", "turns_played")
        moved = {name: tuple(getattr(result, name)[seat] for seat in seats) for name in by_seat}
        winners = tuple(random.sample(result.winners, len(result.winners)))
        turned.append(replace(result, **moved, winners=winners))
    other = standings(turned, random.sample(entrants, len(entrants)), rules)
    assert (other.ranking, scores(other)) == (ranking.ranking, scores(ranking))
    assert [row.keys for row in other.rows] == [row.keys for row in ranking.rows]
    # A row has the roles of its wins game by game.
    plain = [replace(result, roles=()) for result in played]
    shuffled, people = random.sample(plain, len(plain)), random.sample(entrants, len(entrants))
    assert standings(shuffled, people, rules) == standings(plain, entrants, rules)


@pytest.mark.slow
@given(tournaments(), RULES)
def test_no_dollar_is_made_or_lost(played: list[GameResult], rules: Edition) -> None:
    entrants = [Contender(PlayerId(f"p{number}")) for number in range(12)]
    ranking = standings(played, entrants, rules)
    start = 1000 if rules.chosen else rules.start_money
    paid = sum(sum(result.payout) - sum(result.spent) for result in played)
    assert sum(row.total for row in ranking.rows) == 12 * start + paid


BASE = edition("championship-2022")
AUCTION = replace(BASE, start_money=Dollars(5000), characters=RULES_2010.characters)
"""The winnings of one championship with the auction of another: amounts as in the tests beside."""
PRICE = 6000
"""More than the start money: only who won a game can pay it."""


def bought(round_: Round, table: DrawnTable) -> FinishedGame:
    """Seat 2, an Outlaw, shoots the Sheriff; seats 1 and 2 have paid for their characters."""
    result = outlaws_won(round_, table)
    size = len(table.players)
    paid = (Dollars(100), Dollars(300), *(Dollars(0),) * (size - 2))
    return replace(result, spent=paid, prices=paid, characters=tuple(Character)[:size])


def test_nothing_is_brought_where_nothing_is_bought() -> None:
    judge = Judge(BASE).opens(10)
    judge.plays_round()
    assert is_money_spent(BASE) is False
    assert stakes(judge.state, BASE, RoundNo(2)) == {}


def test_start_money_comes_first_then_winnings_less_what_was_spent() -> None:
    judge = Judge(AUCTION).opens(10)
    round_ = judge.plays_round(bought)
    assert set(budgets(judge.state, AUCTION, RoundNo(1)).values()) == {5000}
    assert stakes(judge.state, AUCTION, RoundNo(1))[round_.tables[0].players[0]] == Stake(Dollars(5000))
    brought = stakes(judge.state, AUCTION, RoundNo(2))
    sheriff, outlaw, deputy = round_.tables[0].players[:3]
    first, second, third, *_ = Character
    assert brought[sheriff] == Stake(Dollars(4900), survived=False, owned=first, price=Dollars(100))
    assert brought[outlaw] == Stake(Dollars(6500), survived=True, owned=second, price=Dollars(300))
    assert brought[deputy] == Stake(Dollars(5000), survived=True, owned=third, price=Dollars(0))


def test_with_enlistment_everybody_starts_with_its_money() -> None:
    rules = rules_2003(OptionKey.ENLISTMENT)
    judge = Judge(rules).opens(10)
    assert set(budgets(judge.state, rules, RoundNo(1)).values()) == {1000}
    assert is_money_spent(rules_2003(OptionKey.EXPERIENCE))
    assert not is_money_spent(rules_2003())


def test_a_correction_shows_who_would_have_overspent_later() -> None:
    judge = Judge(AUCTION).opens(10)
    first = judge.plays_round(bought)
    winner = first.tables[0].players[1]

    def dear(round_: Round, table: DrawnTable) -> FinishedGame:
        spent = tuple(Dollars(PRICE if player == winner else 0) for player in table.players)
        return replace(outlaws_won(round_, table), spent=spent, prices=spent)

    second = judge.plays_round(dear)
    judge.publishes()
    table = first.tables[0]
    lost = replace(bought(first, table), spent=tuple(map(Dollars, (0, 1000, 0, 0, 0))), prices=())
    assert judge.timeline is not None
    result = consequences(judge.timeline, CorrectSheet(table.game, lost, "paid more"), AUCTION)
    assert {(change.round, change.player, change.before, change.after) for change in result.budgets} == {
        (2, table.players[0], 4900, 5000),
        (2, winner, 6500, 5800),
        (3, table.players[0], *_later(judge, table.players[0], 100)),
        (3, winner, *_later(judge, winner, -700)),
    }
    (overspent,) = result.overspent
    assert (overspent.round, overspent.player, overspent.spent) == (second.round, winner, PRICE)
    running = [change for change in result.budgets if change.round == RoundNo(3)]
    assert {change.spent for change in running} == {None}


def _later(judge: Judge, player: str, difference: int) -> tuple[int, int]:
    before = {str(who): dollars for who, dollars in budgets(judge.state, AUCTION, RoundNo(3)).items()}[player]
    return before, before + difference
