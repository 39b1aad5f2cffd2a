import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.errors import BadData
from sync.enrolment.agreement import ALPHABET, LENGTH, code_of, code_typed, in_groups


@given(st.binary(min_size=7, max_size=7))
def test_what_is_shown_can_be_typed(chance: bytes) -> None:
    code = code_of(chance)
    assert len(code) == LENGTH
    assert code_typed(in_groups(code)) == code_typed(in_groups(code).lower()) == code


def test_every_character_can_come_and_all_fifty_bits_are_used() -> None:
    assert {code_of(bytes([0, 0, 0, 0, 0, 0, i]))[0] for i in range(256)} == set(ALPHABET)
    assert len({code_of((1 << bit).to_bytes(7)) for bit in range(50)}) == 50


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("OoIiLl-0011", "0011110011"),
        (" abcde fghjk ", "ABCDEFGHJK"),
        ("a-b-c-d-e-f-g-h-j-k", "ABCDEFGHJK"),
    ],
)
def test_look_alikes_hyphens_blanks_and_small_letters_are_read(typed: str, meant: str) -> None:
    assert code_typed(typed) == meant


@pytest.mark.parametrize("typed", ["", "ABCDEFGHJ", "ABCDEFGHJKM", "ABCDEFGHJU", "ABCDE+GHJK", "ÀBCDEFGHJK"])
def test_what_can_be_no_code_is_named(typed: str) -> None:
    with pytest.raises(BadData, match="it has 10 characters"):
        code_typed(typed)


def test_a_code_is_shown_in_groups_also_while_it_is_typed() -> None:
    assert in_groups("ABCDEFGHJK") == "ABCDE-FGHJK"
    assert in_groups("ABCDEF") == "ABCDE-F"
    assert in_groups("ABC") == "ABC"
    assert in_groups("") == ""
