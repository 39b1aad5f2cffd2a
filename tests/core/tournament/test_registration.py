"""Names as they are stored, compared and refused; and late entry (D45)."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.editions.edition import Edition
from core.editions.loader import edition
from core.terms import PlayerId, RoundNo
from core.tournament.draw.drawing import PublishDraw
from core.tournament.penalties import WithdrawPlayer
from core.tournament.registration import RegisterPlayers, RenamePlayer, SetLateEntry
from core.tournament.standings.ledger import budgets
from core.tournament.standings.standings import rounds_standings
from core.tournament.state.names import fold_name, name_filter, name_key, names_like
from core.tournament.state.reasons import TournamentReason
from core.tournament.state.tournament import Player, Waivers
from tests.core.tournament.conftest import Judge, one_group

BAD = [
    ("Zoe\0", TournamentReason.NAME_UNPRINTABLE),
    ("Zoe\x1b[31m", TournamentReason.NAME_UNPRINTABLE),
    ("\u202eZoe", TournamentReason.NAME_UNPRINTABLE),
    ("Z\u200boe", TournamentReason.NAME_UNPRINTABLE),
    ("\u200dZoe", TournamentReason.NAME_UNPRINTABLE),
    ("\u200d", TournamentReason.NAME_UNPRINTABLE),
    ("\u3164 \u2800", TournamentReason.EMPTY_NAME),
    ("x" * 81, TournamentReason.NAME_TOO_LONG),
    *((error, TournamentReason.NAME_IS_ERROR)
      for error in ("#N/A", "#REF!", "#NOME?", "#NV", "#¡VALOR!", "#DIV/0!", "Err:502")),
]  # fmt: skip


@pytest.fixture
def judge(rules: Edition) -> Judge:
    """A judge whose tournament has ten players."""
    return Judge(rules).opens(10)


def registers(name: str, club: str = "") -> RegisterPlayers:
    return RegisterPlayers((Player(PlayerId(f"new {name} {club}"), name, club),))


@pytest.mark.parametrize(("name", "reason"), BAD)
def test_a_name_that_cannot_be_shown_is_refused(judge: Judge, name: str, reason: TournamentReason) -> None:
    for command in (registers(name), RenamePlayer(judge.state.entrants[0].player, name, "")):
        refusal = judge.refusal(command)
        assert refusal.reason is reason
        assert all(str(field).isprintable() for field in refusal.fields.values())


def test_a_club_that_cannot_be_shown_is_refused(judge: Judge) -> None:
    assert judge.refuses(registers("Zoe", "Dodge\x1bCity")) is TournamentReason.NAME_UNPRINTABLE


def test_names_of_all_scripts_are_taken(judge: Judge) -> None:
    for name in ("Łukasz Ćwik", "Þórdís", "王小明", "Zoë", "x" * 80, "علی\u200cرضا"):
        judge.does(registers(name))
        assert judge.state.entrants[-1].name == name


def test_joining_letters_make_no_second_player_of_the_same_name(judge: Judge) -> None:
    judge.does(registers("علی\u200cرضا"))
    assert judge.refuses(registers("علیرضا")) is TournamentReason.SAME_NAME


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "reason"),
    [(300_000, TournamentReason.TOO_MANY_PLAYERS), (19_000, TournamentReason.TOO_MANY_AT_ONCE)],
)
def test_more_players_than_an_entry_holds_are_refused_in_words(
    judge: Judge, count: int, reason: TournamentReason
) -> None:
    many = tuple(Player(PlayerId(f"q{n}"), f"Player {n}") for n in range(count))
    assert judge.refuses(RegisterPlayers(many)) is reason


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Marco D'Angelo", "Marco D’Angelo"),
        ("Marco D'Angelo", "Marco D´Angelo"),
        ("Niccolò", "Niccolo'"),
        ("Jose\u0301", "José"),
        ("Anna-Maria Verdi", "Anna\u2011Maria Verdi"),
        ("Anna-Maria Verdi", "Anna Maria Verdi"),
        ("A\u200dda", "Ada"),
        ("A\u200bda", "Ada"),
        ("Mario Rossi", "ROSSI, Mario"),
        ("İrem", "irem"),
        ("Işık", "isik"),
        ("Łukasz Żółć", "lukasz zolc"),
    ],
)
def test_one_key_for_names_that_may_be_one_persons(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)
    assert name_filter(other)(one)


@pytest.mark.parametrize(
    ("one", "other"), [("Ada Rossi", "Ada Russo"), ("Ada", "Ada Rossi"), ("李伟", "李娜")]
)
def test_other_people_have_other_keys(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna Müller", "Anna Mueller"),
        ("Bjørn Sæther", "Säther, Bjoern"),
        ("Ea De Luca", "Deluca, Ea"),
        ("Marco D Angelo", "D'Angelo Marco"),
        ("Gian Luca Böhm", "Boehm Gianluca"),
        ("Luca Esposito", "Esposito Luca"),
        ("Anna Maria Verdi", "Maria Anna Verdi"),
    ],
)
def test_a_looser_key_asks_about_other_spellings(one: str, other: str) -> None:
    assert names_like(one)(other)
    assert names_like(other)(one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada Rossi", "Ada Russo"),
        ("Carla Rossi", "Clara Rossi"),
        ("Lea", "Ale"),
        ("李伟", "李娜"),
        ("☺", "☹"),
    ],
)
def test_the_looser_key_asks_about_nobody_else(one: str, other: str) -> None:
    assert not names_like(one)(other)


@given(name=st.text(max_size=12), other=st.text(max_size=12))
def test_the_looser_key_asks_about_everybody_whom_seasons_join(name: str, other: str) -> None:
    swapped = " ".join(reversed(name.split()))
    assert names_like(name)(swapped) or name_key(name) != name_key(swapped)
    assert names_like(name)(other) or name_key(name) != name_key(other)


def test_names_are_kept_with_each_accent_on_its_letter(judge: Judge) -> None:
    judge.does(registers("Jose\u0301", "Ca\u0301diz"))
    assert (judge.state.entrants[-1].name, judge.state.entrants[-1].club) == ("José", "Cádiz")
    assert judge.refuses(registers("José", "Cádiz")) is TournamentReason.SAME_NAME


def test_comparing_takes_no_longer_for_what_strangers_send() -> None:
    marks = "a" + "\u0316\u0301" * 30_000
    before = time.process_time()
    assert name_key(marks) == fold_name(marks) == "a"
    assert not names_like("b " * 60_000)("a " * 60_000)
    assert time.process_time() - before < 1


OPEN = SetLateEntry(is_open=True, reason="the train was late")
LATE = RegisterPlayers((Player(PlayerId("late"), "Lola"),))


def test_d45_late_entry_is_closed_until_it_is_opened_with_a_reason(judge: Judge) -> None:
    judge.plays_round()
    assert judge.refuses(LATE) is TournamentReason.LATE_ENTRY
    assert judge.refuses(SetLateEntry(is_open=True, reason="")) is TournamentReason.EMPTY_REASON
    judge.does(OPEN)
    assert judge.decides_again()
    assert judge.refuses(SetLateEntry(is_open=True, reason="again")) is TournamentReason.LATE_ENTRY_TWICE
    judge.does(LATE)
    judge.does(SetLateEntry(is_open=False, reason="enough"))
    other = RegisterPlayers((Player(PlayerId("later"), "Luis"),))
    assert judge.refuses(other) is TournamentReason.LATE_ENTRY


def test_d45_a_late_player_joins_at_the_next_draw_with_nothing_for_the_rounds_missed(judge: Judge) -> None:
    judge.plays_round()
    judge.does(OPEN)
    judge.does(LATE)
    rows = {row.player: row for row in rounds_standings(judge.state, judge.rules).rows}
    assert rows[PlayerId("late")].score == 0
    second = judge.plays_round()
    assert PlayerId("late") in {player for table in second.tables for player in table.players}
    assert [len(table.players) for table in second.tables] == [6, 5]
    assert judge.state.rounds_planned == 3


def test_a_late_player_who_leaves_before_playing_does_not_stop_the_ranking(rules: Edition) -> None:
    judge = Judge(rules).opens(10, Waivers(rounds=2))
    judge.plays_round()
    judge.does(OPEN)
    judge.does(LATE)
    judge.does(WithdrawPlayer(PlayerId("late"), "gone again"))
    judge.plays_round()
    assert len(rounds_standings(judge.state, judge.rules).rows) == 11


def test_a_draft_is_drawn_again_for_a_late_player(judge: Judge) -> None:
    judge.plays_round()
    judge.does(OPEN)
    judge.draws_tables()
    judge.does(LATE)
    assert judge.refuses(PublishDraw()) is TournamentReason.DRAW_IS_STALE


def test_in_2010_a_late_player_brings_the_start_money() -> None:
    judge = Judge(edition("championship-2010")).opens(10)
    judge.plays_round()
    judge.does(OPEN)
    judge.does(LATE)
    assert budgets(judge.state, judge.rules, RoundNo(2))[PlayerId("late")] == 5000


def test_nobody_joins_when_no_round_is_left(rules: Edition) -> None:
    judge = Judge(rules).opens(10, Waivers(rounds=1))
    judge.does(SetLateEntry(is_open=True, reason="the train may be late"))
    judge.publishes()
    assert judge.refuses(LATE) is TournamentReason.TOO_LATE_FOR_A_ROUND


def test_a_group_that_has_begun_takes_nobody_in() -> None:
    judge = Judge(one_group()).opens(5)
    judge.publishes()
    assert judge.refuses(LATE) is TournamentReason.LATE_IN_GROUP
    assert judge.refuses(SetLateEntry(is_open=True, reason="x")) is TournamentReason.LATE_IN_GROUP
