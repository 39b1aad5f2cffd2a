"""Numbers and lots that anyone can recompute."""

import hashlib
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tournament.draw.draw_algorithm import is_seed, lots, normalise_hall_word, numbers, seal_of


def test_a_number_is_the_sha_256_of_seed_word_label_and_counter() -> None:
    values = list(islice(numbers("ab", "cactus", "2/1"), 3))
    texts = [b"ab:cactus:2/1:0", b"ab:cactus:2/1:1", b"ab:cactus:2/1:2"]
    assert values == [int(hashlib.sha256(text).hexdigest(), 16) for text in texts]


def test_a_seal_is_the_sha_256_of_the_seeds_digits() -> None:
    seed = "0123456789abcdef" * 4
    assert seal_of(seed) == hashlib.sha256(seed.encode()).hexdigest()


@pytest.mark.parametrize(
    ("text", "answer"),
    [("a" * 64, True), ("A" * 64, False), ("a" * 63, False), ("g" * 64, False), ("a" * 64 + "\n", False)],
)
def test_a_seed_is_64_lower_case_hexadecimal_digits(text: str, *, answer: bool) -> None:
    assert is_seed(text) is answer


def test_a_number_above_the_largest_multiple_is_thrown_away() -> None:
    assert lots("abc", 1, iter([2**256 - 1, 7])) == ("b",)
    assert lots("ab", 1, iter([2**256 - 1])) == ("b",)


def test_the_last_of_a_hat_takes_no_number() -> None:
    assert lots("a", 1, iter([])) == ("a",)
    assert lots("ab", 2, iter([1])) == ("b", "a")


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
