"""Reading editions, and what each mistake in a file is answered with."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import saloon.core.editions as room
from saloon.core.editions import Edition, WinningsCase, edition, editions, read_edition
from saloon.core.errors import BadData
from saloon.core.game.roles import Role

assert room.__file__ is not None
TEXT = (Path(room.__file__).parent / "championship-2022.toml").read_text(encoding="utf-8")


def changed(old: str, new: str) -> str:
    assert TEXT.count(old) >= 1, old
    return TEXT.replace(old, new, 1)


def line_of(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), start=1) if part in line)


def test_editions_are_known_by_key() -> None:
    keys = [known.key for known in editions()]
    assert "championship-2022" in keys
    assert keys == sorted(keys)
    assert all(edition(key).key == key for key in keys)


def test_an_unknown_edition_is_answered_with_the_known_ones() -> None:
    with pytest.raises(BadData, match=r"no edition 'championship-1999'; allowed: .*championship-2022"):
        edition("championship-1999")


def test_an_edition_is_one_immutable_value() -> None:
    known = edition("championship-2022")
    assert hash(known) == hash(read_edition(TEXT, "a copy"))
    with pytest.raises(AttributeError):
        known.key = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ("min_players = 10\n", "", "[tables]", "tables: .* required field `min_players`"),
        (
            "sheriff_once = true",
            "sheriff_onse = true\nsheriff_once = true",
            "onse",
            "unknown field `sheriff_onse`",
        ),
        ("sheriff_once = true", 'sheriff_once = "yes"', "once", "Expected `bool`, got `str`; found 'yes'"),
        ("start_money = 0", "start_money = 0.5", "start_money", "start_money: .*`int`.*; found 0.5"),
        ('"footnote"', '"foot"', '"foot"', "found 'foot'; allowed: footnote, strict, label"),
        (
            '"Willy the Kid"',
            '"Billy the Kid"',
            "Billy",
            r"characters\.deck\.15: .*found 'Billy the Kid'; allowed",
        ),
        ("[250, 250, 250]", '[250, "250", 250]', '"250"', r"winnings\.2\.dollars\.1: .*found '250'"),
        (
            'role = "sheriff"',
            'role = "marshal"',
            "marshal",
            "allowed: sheriff, deputy, outlaw, renegade, rebel",
        ),
        (
            "outlaw = 3, renegade = 1",
            "outlaw = 3, renegade = 2",
            "renegade = 2",
            r"roles\.2: .* 6 has 7 roles",
        ),
        (
            "players = 19, tables = [6, 6, 7]",
            "players = 19, tables = [6, 6, 6]",
            "[tables]",
            "row 19 seats 18",
        ),
    ],
)
def test_a_mistake_names_file_line_key_and_what_is_allowed(
    old: str, new: str, line: str, problem: str
) -> None:
    text = changed(old, new)
    with pytest.raises(BadData, match=problem) as raised:
        read_edition(text, "house.toml")
    assert raised.value.where == f"house.toml, line {line_of(text, line)}"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            "players = 19, tables = [6, 6, 7]",
            "players = 19, tables = [6, 9, 4]",
            "table size that is not one of",
        ),
        ("    { players = 19, tables = [6, 6, 7] },\n", "", "row 20 stands where 19 must"),
        ("players = 19", "players = 18", "row 18 stands where 19 must"),
        ("sizes = [5, 6, 7]", "sizes = [5, 7, 6]", "must ascend"),
        ("sizes = [5, 6, 7]", "sizes = [5, 6, 7, 8]", "no row for tables of .8."),
        ("min_players = 10", "min_players = 11", "row 10 stands where 11 must"),
        (
            "players_from = 10, players_to",
            "players_from = 9, players_to",
            "must start at tables.min_players, 10",
        ),
        ("players_from = 15", "players_from = 14", "a row from 14 follows a row to 14"),
        ("players_from = 15", "players_from = 16", "a row from 16 follows a row to 14"),
        ("players_from = 25,", "players_from = 25, players_to = 50,", "last row must be open"),
        ("players_to = 14", "players_to = 9", "a row from 15 follows a row to 9"),
        ("rounds = 3", "rounds = 0", "without a round"),
        ("players_from = 4, players_to = 6", "players_from = 4, players_to = 7", "thresholds: a row from 7"),
        ("reshuffles = 3", "reshuffles = 0", "at least one reshuffle"),
        ("players = 7, sheriff = 1, deputy = 2", "players = 7, sheriff = 2, deputy = 1", "has 2 Sheriffs"),
        (
            "players = 7, sheriff = 1, deputy = 2",
            "players = 6, sheriff = 1, deputy = 1",
            "two rows for one table",
        ),
        ("[250, 250, 250]", "[250, 250]", "has 2 amounts; it needs one for each"),
        (
            'case = "lost_final_duel"',
            'case = "alive"',
            "law_wins, renegade: alive, no_final_duel; allowed are",
        ),
        (
            'ending = "renegade_wins"',
            'ending = "law_wins"',
            "law_wins, renegade: lost_final_duel, .*, always",
        ),
        ('"Willy the Kid"', '"Vulture Sam"', "names a character twice"),
        ("dealt = 2", "dealt = 3", "is dealt 21"),
        ("dealt = 2", "dealt = 0", "at least 1"),
        ('"matches_won", "lot"]', '"matches_won"]', "must end with lot"),
        ('["marogi", "matches_won"', '["marogi", "marogi"', "tie_breaks names one twice"),
        ("key = ", "key ", "not TOML: .*line 4"),
        ("[high_noon]", "[high_noon", "not TOML"),
    ],
)
def test_tables_without_gap_overlap_or_wrong_sum(old: str, new: str, problem: str) -> None:
    with pytest.raises(BadData, match=problem) as raised:
        read_edition(changed(old, new), "house.toml")
    assert raised.value.where.startswith("house.toml")


LINES = TEXT.splitlines()
JUNK = st.sampled_from(
    ["", "= 3", "x = 1", "[tables]", "[[winnings]]", "rounds = 3", 'key = "y"', "[[[", "\x00"]
)


@settings(deadline=None)
@given(
    first=st.integers(0, len(LINES)), removed=st.integers(0, 9), put=st.lists(JUNK | st.text(), max_size=3)
)
def test_any_text_is_an_edition_or_bad_data(first: int, removed: int, put: list[str]) -> None:
    text = "\n".join([*LINES[:first], *put, *LINES[first + removed :]])
    try:
        assert isinstance(read_edition(text, "house.toml"), Edition)
    except BadData as error:
        where = error.where
    else:
        return
    assert where.startswith("house.toml")


def test_text_nested_without_end_is_bad_data() -> None:
    with pytest.raises(BadData, match="not TOML"):
        read_edition("key = " + "[" * 100_000, "house.toml")


def test_house_rules_are_a_file_and_no_code() -> None:
    eliminated = """
[[winnings]]
ending = "law_wins"
role = "deputy"
case = "alive"
printed = "Deputy in play"
dollars = [1200, 1600, 1200]

[[winnings]]
ending = "law_wins"
role = "deputy"
case = "eliminated"
printed = "Deputy eliminated"
dollars = [600, 800, 600]
"""
    old = """
[[winnings]]
ending = "law_wins"
role = "deputy"
printed = "Deputy"
dollars = [1200, 1600, 1200]
"""
    house = read_edition(changed(old, eliminated).replace('"championship-2022"', '"house"'), "house.toml")
    cases = {row.case for row in house.winnings if row.role is Role.DEPUTY}
    assert house.key == "house"
    assert {WinningsCase.ALIVE, WinningsCase.ELIMINATED} <= cases


def test_an_edition_may_know_no_high_noon() -> None:
    start, end = TEXT.index("[high_noon]"), TEXT.index('# 1.1 "Winnings tables":')
    assert read_edition(TEXT[:start] + TEXT[end:], "house.toml").high_noon is None


def test_every_field_of_an_edition_stands_in_its_file() -> None:
    fields = {field.encode_name for field in msgspec.structs.fields(Edition) if field.required}
    assert all(f"{name} =" in TEXT or f"[{name}]" in TEXT for name in fields)


def test_what_the_room_exports_is_there_and_sorted() -> None:
    assert room.__all__ == sorted(room.__all__)
    assert all(hasattr(room, name) for name in room.__all__)
