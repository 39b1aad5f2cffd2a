"""Reading editions, and what each mistake in a file is answered with."""

import time
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import core.editions as room
from base.errors import BadData
from core.editions.edition import Edition
from core.editions.loader import edition, editions, read_edition, rules_of, with_all_readings
from core.editions.part import FaultyRules
from core.editions.readings import HighNoonStarterDied, SidWithTwoLeft
from core.editions.winnings_table import WinningsCase
from core.rule_set import ReadingChoice, RuleSet
from core.terms import Role

assert room.__file__ is not None
TEXT = (Path(room.__file__).parent / "championship-2022.toml").read_text(encoding="utf-8")


def changed(old: str, new: str) -> str:
    assert TEXT.count(old) >= 1, old
    return TEXT.replace(old, new, 1)


def line_of(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), start=1) if part in line)


@pytest.mark.parametrize("house_rules", [False, True])
def test_an_older_rule_set_keeps_the_readings_that_it_was_played_by(*, house_rules: bool) -> None:
    text = changed('key = "championship-2022"', 'key = "cup"')
    older = RuleSet("cup", house_rules=text) if house_rules else RuleSet("championship-2022")
    read = rules_of(older).readings
    assert read.high_noon_starter_died is HighNoonStarterDied.NEXT_ORBIT
    assert read.sid_with_two_left is SidWithTwoLeft.AS_BEER
    new = rules_of(with_all_readings(older)).readings
    assert new.high_noon_starter_died is HighNoonStarterDied.NEXT_LIVING
    assert new.sid_with_two_left is SidWithTwoLeft.ALLOWED


def test_a_new_rule_set_keeps_the_readings_that_its_judge_chose() -> None:
    chosen = RuleSet("championship-2022", readings=(ReadingChoice("sid_with_two_left", "as_beer"),))
    assert rules_of(with_all_readings(chosen)).readings.sid_with_two_left is SidWithTwoLeft.AS_BEER
    assert with_all_readings(with_all_readings(chosen)) == with_all_readings(chosen)


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
        ("min_players = 10\n", "", "[tables]", "tables: the key min_players is missing"),
        (
            "sheriff_once = true",
            "sheriff_onse = true\nsheriff_once = true",
            "onse",
            r"tables\.sheriff_onse: unknown key; allowed: sizes, min_players",
        ),
        (
            "sheriff_once = true",
            'sheriff_once = "yes"',
            "once",
            r"tables\.sheriff_once: expected true or false; found 'yes'",
        ),
        ("money = 0", "money = 0.5", "start_money", r"start_money: expected a whole number; found 0\.5"),
        ('"footnote"', '"foot"', '"foot"', "found 'foot'; allowed: footnote, strict, label"),
        ('"fewest_then_draw"', '"draw"', '"draw"', "found 'draw'; allowed: fewest_then_draw"),
        ('"Willy', '"Billy', "Billy", r"characters\.deck\[16\]: found 'Billy the Kid'; allowed"),
        ("[250, 250, 250]", '[250, "250", 250]', '"250"', r"winnings\[3\]\.dollars\[2\]: .*found '250'"),
        ('"sheriff"', '"marshal"', "marshal", "allowed: sheriff, deputy, outlaw, renegade, rebel"),
        (
            "3, renegade = 1",
            "3, renegade = 2",
            "renegade = 2",
            r"roles\[3\]: the row of 6 players has 7 roles",
        ),
        ("[6, 6, 7]", "[6, 6, 6]", "players = 19,", r"tables\.chart\[10\]: the row of 19 players seats 18"),
    ],
)
def test_a_mistake_names_file_line_key_and_what_is_allowed(
    old: str, new: str, line: str, problem: str
) -> None:
    text = changed(old, new)
    with pytest.raises(BadData, match=problem) as raised:
        read_edition(text, "house.toml")
    assert raised.value.where == f"house.toml, line {line_of(text, line)}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("[6, 6, 7]", "[6, 9, 4]", "table size that is not one of"),
        ("    { players = 19, tables = [6, 6, 7] },\n", "", "20 players stands where 19 must"),
        ("players = 19", "players = 18", "18 players stands where 19 must"),
        ("sizes = [5, 6, 7]", "sizes = [5, 7, 6]", "must ascend"),
        ("sizes = [5, 6, 7]", "sizes = [5, 6, 7, 8]", "no row for tables of 8"),
        ("min_players = 10", "min_players = 11", "10 players stands where 11 must"),
        ("players_from = 10,", "players_from = 9,", "must start at tables.min_players, 10"),
        ("players_from = 15", "players_from = 14", "a row from 14 follows a row to 14"),
        ("players_from = 15", "players_from = 16", "a row from 16 follows a row to 14"),
        ("players_from = 25,", "players_from = 25, players_to = 50,", "last row must be open"),
        ("players_to = 14", "players_to = 9", "a row from 15 follows a row to 9"),
        ("rounds = 3", "rounds = 0", "without a round"),
        ("4, players_to = 6", "4, players_to = 7", r"thresholds\[2\]: a row from 7"),
        ("reshuffles = 3", "reshuffles = 0", "at least one reshuffle"),
        ("sheriff = 1, deputy = 2", "sheriff = 2, deputy = 1", "sheriff: is 2; there must be one Sheriff"),
        ("7, sheriff = 1, deputy = 2", "6, sheriff = 1, deputy = 1", "a second row for one table size, 6"),
        ("[250, 250, 250]", "[250, 250]", "has 2 amounts; it needs one for each"),
        ('"lost_final_duel"', '"alive"', "law_wins, renegade: alive, no_final_duel; allowed are"),
        ('"renegade_wins"', '"law_wins"', "law_wins, renegade: lost_final_duel, .*, always"),
        ('"Willy the Kid"', '"Vulture Sam"', "names a character twice"),
        ("dealt = 2", "dealt = 3", "is dealt 21"),
        (
            "players = 4, sheriff = 1, deputy = 0, outlaw = 2",
            "players = 3, sheriff = 1, deputy = 0, outlaw = 1",
            r"roles\[1\]\.players: is 3; allowed are 4 to 10 at a table",
        ),
        ("dealt = 2", "dealt = 0", "at least 1"),
        ('"deal_and_choose"', '"at_random"', "only deal_and_choose deals more than 1"),
        ('"deal_and_choose"', '"auction"', "method auction, and no other, has a table"),
        ("sheriff_extra_life = 1", "sheriff_extra_life = -1", "is -1; allowed is 0 or more"),
        ("start_money = 0", "start_money = -100", "start_money: is -100; allowed is 0 or more"),
        ("bonus = [100,", "bonus = [-100,", r"bonus\[1\]: is -100"),
        ("[250, 250, 250]", "[250, -250, 250]", r"winnings\[3\]\.dollars\[2\]: is -250"),
        ("[250, 250, 250]", "[250, 250, 250]\nper_player = 50", "stands beside a formula"),
        ("start_money", 'schedule = "one_group"\nstart_money', "rounds: belongs to the schedule chart"),
        ('key = "championship-2022"', 'key = "My rules!"', "allowed are small letters, digits and hyphens"),
        ('title = "BANG! Championship 2022/23"', 'title = " "', "title: is empty"),
        ("players_from = 4, players_to = 6", "players_from = 6, players_to = 6", "the smallest table has 5"),
        ("renegade = 1 },\n]", "renegade = 0, rebel = 1 },\n]", "belong to options.rebel.roles"),
        ("start_money = 0", 'start_money = 0\nchosen = ["rebel"]', "switched on when a tournament is opened"),
        ('"matches_won", "lot"]', '"matches_won"]', "must end with lot"),
        ('["marogi", "matches_won"', '["marogi", "marogi"', r"tie_breaks\[2\]: names a tie-break twice"),
        ("key = ", "key ", "not TOML: .*line 4"),
        ("[high_noon]", "[high_noon", "not TOML"),
    ],
)
def test_tables_without_gap_overlap_or_wrong_sum(old: str, new: str, problem: str) -> None:
    with pytest.raises(BadData, match=problem) as raised:
        read_edition(changed(old, new), "house.toml")
    assert raised.value.where.startswith("house.toml")


def test_all_faults_are_told_at_once_each_with_its_line() -> None:
    text = changed("start_money = 0", "start_money = 0.5").replace("dealt = 2", "delt = 2")
    text = text.replace("outlaw = 3, renegade = 1", "outlaw = 3, renegade = 2", 1)
    text = text.replace("dollars = [2200, 2400, 2600]", "dollars = [2200, 2400]")
    with pytest.raises(FaultyRules) as raised:
        read_edition(text, "house.toml")
    faults = [(fault.where, fault.problem.split(":")[0]) for fault in raised.value.faults]
    assert faults == [
        (f"house.toml, line {line_of(text, 'start_money')}", "start_money"),
        (f"house.toml, line {line_of(text, 'renegade = 2')}", "roles[3]"),
        (f"house.toml, line {line_of(text, 'delt')}", "characters.delt"),
    ]
    assert str(raised.value).startswith("house.toml: 3 faults\n  line ")


@pytest.mark.slow
def test_faults_of_the_whole_are_told_once_the_parts_are_right() -> None:
    text = changed("sizes = [5, 6, 7]", "sizes = [5, 6, 7, 8]")
    with pytest.raises(FaultyRules, match=r"roles: has no row for tables of 8\n") as raised:
        read_edition(text, "house.toml")
    assert "winnings[1].dollars: has 3 amounts; it needs one for each" in str(raised.value)


@pytest.mark.parametrize("known", editions(), ids=lambda known: known.key)
def test_an_edition_that_comes_with_saloon_is_nobodys_house_rules(known: Edition) -> None:
    assert room.__file__ is not None
    text = (Path(room.__file__).parent / f"{known.key}.toml").read_text(encoding="utf-8")
    with pytest.raises(BadData, match="give your rules a key of their own"):
        rules_of(RuleSet(known.key, house_rules=text))
    own = text.replace(f'key = "{known.key}"', 'key = "our-club"')
    rules = with_all_readings(RuleSet("our-club", house_rules=own))
    assert rules_of(rules) == replace(known, key="our-club")


LINES = TEXT.splitlines()
JUNK = st.sampled_from(
    ["", "= 3", "x = 1", "[tables]", "[[winnings]]", "rounds = 3", 'key = "y"', "[[[", "\x00"]
)


@pytest.mark.slow
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


def test_of_very_many_faults_the_first_twenty_are_named_quickly() -> None:
    rows = "".join(f"[[unknown]]\nsizes = [{number}]\n" for number in range(890))
    keys = "".join(f"nothing{number} = 1\n" for number in range(2_000))
    before = time.process_time()
    with pytest.raises(FaultyRules) as raised:
        read_edition(keys + rows, "house.toml")
    assert time.process_time() - before < 3
    assert len(raised.value.faults) == 20
    assert str(raised.value).endswith(f"and {raised.value.more} more")
    assert raised.value.more > 1_900
