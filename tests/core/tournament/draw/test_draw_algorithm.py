"""The draw of a round: chance, seats, Sheriffs, and that anyone can recompute it."""

import hashlib
import re
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.errors import Refused
from core.editions.edition import Edition, Schedule
from core.editions.loader import edition, editions
from core.terms import PlayerId, RoundNo, TableNo, TournamentId
from core.tournament.draw.draw_algorithm import (
    Candidate,
    Draw,
    DrawKey,
    draw,
    game_id,
    is_seed,
    lot_order,
    lots,
    normalise_hall_word,
    numbers,
    seal_of,
)
from core.tournament.draw.rounds import printed_rounds, table_sizes
from tests.core.tournament.conftest import seed

PAGE = (Path(__file__).parents[4] / "docs" / "reference" / "draw.md").read_text(encoding="utf-8")
RULES = edition("championship-2022")


def key(seed: str, hall_word: str = "", round_no: int = 1, attempt: int = 1) -> DrawKey:
    return DrawKey(TournamentId("open"), RoundNo(round_no), attempt, seed, hall_word)


def candidates(*times_sheriff: int) -> tuple[Candidate, ...]:
    return tuple(Candidate(PlayerId(f"p{n}"), times) for n, times in enumerate(times_sheriff, start=1))


SEEDS = st.binary(min_size=32, max_size=32).map(bytes.hex)


@given(SEEDS, st.text(max_size=12), st.integers(10, 80))
def test_each_player_has_one_seat_at_tables_of_the_charts_sizes(seed: str, word: str, players: int) -> None:
    given_players = candidates(*[0] * players)
    sizes = table_sizes(players, RULES)
    drawn = draw(key(seed, word), given_players, sizes)
    assert tuple(len(table.players) for table in drawn.tables) == sizes
    seated = [player for table in drawn.tables for player in table.players]
    assert sorted(seated) == sorted(candidate.player for candidate in given_players)
    assert [table.table for table in drawn.tables] == list(range(1, len(sizes) + 1))
    assert draw(key(seed, word), given_players, sizes) == drawn


@given(SEEDS, st.lists(st.integers(0, 2), min_size=10, max_size=60))
def test_s1_1_sheriff_is_drawn_from_players_not_yet_sheriff(seed: str, times: list[int]) -> None:
    given_players = candidates(*times)
    before = {candidate.player: candidate.times_sheriff for candidate in given_players}
    drawn = draw(key(seed), given_players, table_sizes(len(times), RULES))
    sheriffs = [before[table.players[0]] for table in drawn.tables]
    assert sorted(sheriffs) == sorted(times)[: len(sheriffs)]
    repeated = [table.players[0] for table in drawn.tables if before[table.players[0]]]
    assert list(drawn.repeated_sheriffs) == repeated


def test_d06_all_who_were_never_sheriff_are_drawn_before_anyone_again() -> None:
    drawn = draw(key("0" * 64), candidates(*[0] * 2, *[1] * 16), (6, 6, 6))
    assert len(drawn.repeated_sheriffs) == 1
    assert {table.players[0] for table in drawn.tables} > {PlayerId("p1"), PlayerId("p2")}


@given(SEEDS)
def test_another_word_from_the_hall_gives_another_draw(seed: str) -> None:
    players = candidates(*[0] * 27)
    sizes = table_sizes(27, RULES)
    assert draw(key(seed, "cactus"), players, sizes) != draw(key(seed, "saddle"), players, sizes)


def test_attempts_have_games_and_chance_of_their_own() -> None:
    first, second = key("0" * 64, attempt=1), key("0" * 64, attempt=2)
    assert game_id(first.tournament, first.round, first.attempt, TableNo(3)) == "open-r1-t3-a1"
    assert game_id(second.tournament, second.round, second.attempt, TableNo(3)) == "open-r1-t3-a2"
    players = candidates(*[0] * 10)
    assert draw(first, players, (5, 5)) != draw(second, players, (5, 5))


def test_the_first_sheriff_is_everybody_about_equally_often() -> None:
    players = candidates(*[0] * 10)
    starters = [draw(key(f"{n:064x}"), players, (5, 5)).tables[0].players[0] for n in range(2000)]
    assert all(140 < starters.count(candidate.player) < 260 for candidate in players)


@given(SEEDS, st.lists(st.integers(2, 5), min_size=1, max_size=4))
def test_lots_put_every_tied_group_in_an_order(seed: str, sizes: list[int]) -> None:
    groups = [[PlayerId(f"{n}.{m}") for m in range(size)] for n, size in enumerate(sizes)]
    order = lot_order(seed, groups)
    assert [sorted(group) for group in order] == [sorted(group) for group in groups]
    assert lot_order(seed, groups) == order


def _example(label: str) -> str:
    match = re.search(rf"- {label}: `([^`]+)`", PAGE)
    assert match is not None
    return match[1]


def test_the_worked_example_of_the_docs_is_true() -> None:
    seed, word = _example("seed"), _example("hall word")
    assert seal_of(seed) == _example("seal")
    names = re.search(r"register in this order: ([^.]+)\.", PAGE)
    assert names is not None
    players = [PlayerId(name) for name in names[1].split(", ")]
    drawn = draw(key(seed, word), [Candidate(player, 0) for player in players], (6, 5))
    for table in drawn.tables:
        assert f"Table {table.table}: {', '.join(table.players)}." in PAGE


def test_every_number_of_the_worked_example_follows_from_its_text() -> None:
    seed, word = _example("seed"), _example("hall word")
    rows = re.findall(r"^\| (\d+) \| `([0-9a-f]{16})` \| (\d+) \| (\d+) \|", PAGE, re.MULTILINE)
    assert len(rows) == 10
    for counter, begins, among, place in rows:
        number = hashlib.sha256(f"{seed}:{word}:1/1:{counter}".encode()).hexdigest()
        assert number.startswith(begins)
        assert int(number, 16) % int(among) == int(place)


def test_a_number_is_the_sha_256_of_seed_word_label_and_counter_and_a_seal_that_of_the_seed() -> None:
    assert seal_of("0123456789abcdef" * 4) == hashlib.sha256(b"0123456789abcdef" * 4).hexdigest()
    values = list(islice(numbers("ab", "cactus", "2/1"), 3))
    texts = [b"ab:cactus:2/1:0", b"ab:cactus:2/1:1", b"ab:cactus:2/1:2"]
    assert values == [int(hashlib.sha256(text).hexdigest(), 16) for text in texts]


@pytest.mark.parametrize(
    ("text", "answer"),
    [("a" * 64, True), ("A" * 64, False), ("a" * 63, False), ("g" * 64, False), ("a" * 64 + "\n", False)],
)
def test_a_seed_is_64_lower_case_hexadecimal_digits(text: str, *, answer: bool) -> None:
    assert is_seed(text) is answer


@pytest.mark.parametrize(
    ("hat", "count", "source", "drawn"),
    [
        pytest.param("abc", 1, [2**256 - 1, 7], "b", id="a number above the largest multiple is thrown away"),
        pytest.param("ab", 1, [2**256 - 1], "b", id="no number is above it"),
        pytest.param("a", 1, [], "a", id="the last of a hat takes no number"),
        pytest.param("ab", 2, [1], "ba", id="nor does the second of two"),
    ],
)
def test_lots_are_drawn_with_as_few_numbers_as_are_fair(
    hat: str, count: int, source: list[int], drawn: str
) -> None:
    assert lots(hat, count, iter(source)) == tuple(drawn)


def test_each_of_three_places_is_chosen_about_equally_often() -> None:
    source = numbers("0" * 64, "", "1/1")
    chosen = [lots("abc", 1, source)[0] for _ in range(3000)]
    assert all(900 < chosen.count(one) < 1100 for one in "abc")


def test_a_hall_word_is_written_without_blanks_and_composed() -> None:
    assert normalise_hall_word("  cafe\u0301 ") == "caf\u00e9"


@given(st.lists(st.integers(), unique=True, max_size=30), st.data())
def test_lots_are_different_things_from_the_hat(things: list[int], data: st.DataObject) -> None:
    count = data.draw(st.integers(0, len(things)))
    drawn = lots(things, count, numbers("f" * 64, "", "lots"))
    assert len(drawn) == count == len(set(drawn))
    assert set(drawn) <= set(things)


CHAMPIONSHIPS = [rules.key for rules in editions() if rules.schedule is Schedule.CHART]


def drawn_round(number: int, times: dict[PlayerId, int], rules: Edition, chance: str) -> Draw:
    key = DrawKey(TournamentId("many"), RoundNo(number), 1, seed(chance), "")
    sizes = table_sizes(len(times), rules, below_minimum=True)
    return draw(key, [Candidate(player, count) for player, count in times.items()], sizes)


@pytest.mark.slow
@pytest.mark.parametrize("key", CHAMPIONSHIPS)
@pytest.mark.parametrize("players", range(10, 201))
def test_s1_1_nobody_is_sheriff_twice_when_all_stay(key: str, players: int) -> None:
    rules = edition(key)
    times = {PlayerId(f"p{number}"): 0 for number in range(players)}
    for number in range(1, printed_rounds(players, rules) + 1):
        drawn = drawn_round(number, times, rules, f"{players}/{number}")
        assert drawn.repeated_sheriffs == ()
        for table in drawn.tables:
            times[table.players[0]] += 1
    assert max(times.values()) == 1


@given(
    key=st.sampled_from(CHAMPIONSHIPS),
    players=st.integers(10, 200),
    leaving=st.lists(st.integers(0, 6), min_size=5, max_size=5),
    data=st.data(),
)
def test_d06_with_departures_a_sheriff_is_repeated_only_when_too_few_are_left(
    key: str, players: int, leaving: list[int], data: st.DataObject
) -> None:
    rules = edition(key)
    chance = str(data.draw(st.integers(0, 1 << 32), label="chance"))
    times = {PlayerId(f"p{number}"): 0 for number in range(players)}
    for number in range(1, printed_rounds(players, rules) + 1):
        if number > 1:
            for gone in sorted(times)[: leaving[number - 1]]:
                del times[gone]
        try:
            drawn = drawn_round(number, times, rules, f"{chance}/{number}")
        except Refused:
            return
        fresh = sum(count == 0 for count in times.values())
        assert len(drawn.repeated_sheriffs) == max(0, len(drawn.tables) - fresh)
        seats = Counter(player for table in drawn.tables for player in table.players)
        assert set(seats) == set(times)
        assert set(seats.values()) == {1}
        for table in drawn.tables:
            times[table.players[0]] += 1
