"""Expected ends and their ranges, for any table in any hall."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.terms import TableNo
from core.tournament.forecast import HallPace, forecast_round, forecast_table, learn_pace, remaining_time
from core.tournament.progress import TableProgress
from tests.core.tournament.pace.conftest import halls, kind, played, tables

HALL = HallPace()
SHARES = st.floats(0.01, 0.99)


def minutes_left(table: TableProgress, hall: HallPace = HALL) -> float:
    return forecast_table(remaining_time(table, hall)).minutes


def playing(minutes: float, turns: int | None, in_play: int = 6, players: int = 6) -> TableProgress:
    return TableProgress(kind(players), minutes, is_begun=True, in_play=in_play, turns=turns)


@pytest.mark.slow
@given(tables(), halls())
def test_a_range_holds_what_is_expected_and_never_begins_before_now(
    table: TableProgress, hall: HallPace
) -> None:
    forecast = forecast_table(remaining_time(table, hall))
    assert 0 <= forecast.early <= forecast.minutes <= forecast.late


@pytest.mark.slow
@given(tables(with_limit=True), halls())
def test_no_game_is_expected_to_outlast_a_time_limit_that_ends_it(
    table: TableProgress, hall: HallPace
) -> None:
    assert table.limit is not None
    assert forecast_table(remaining_time(table, hall)).late <= max(0.0, table.limit)


@given(tables(with_limit=True))
def test_a_limit_that_only_begins_high_noon_ends_no_game(table: TableProgress) -> None:
    goes_on = msgspec.structs.replace(
        table, kind=msgspec.structs.replace(table.kind, is_ended_by_limit=False), is_noon=False
    )
    assert forecast_table(remaining_time(goes_on, HALL)).late > 0


@given(tables(with_limit=False), SHARES, SHARES)
def test_shares_and_minutes_are_two_sides_of_one_distribution(
    table: TableProgress, one: float, other: float
) -> None:
    left = remaining_time(table, HALL)
    low, high = sorted((one, other))
    assert left.minutes_at(low) <= left.minutes_at(high)
    if left.minutes_at(low) > left.first:
        assert left.shares_by([left.minutes_at(low)])[0] == pytest.approx(low, abs=1e-4)


@given(st.floats(0, 200), st.floats(0, 60))
def test_the_end_of_a_table_on_paper_moves_back_while_nothing_is_heard_of_it(
    minutes: float, more: float
) -> None:
    before, after = (TableProgress(kind(), at) for at in (minutes, minutes + more))
    assert minutes + minutes_left(before) <= minutes + more + minutes_left(after) + 1e-6


@given(st.floats(1, 200), st.floats(0, 60), st.integers(1, 120))
def test_a_turn_that_takes_longer_makes_the_end_later(minutes: float, more: float, turns: int) -> None:
    assert minutes_left(playing(minutes, turns)) <= minutes_left(playing(minutes + more, turns)) + 1e-6


@given(st.integers(2, 6), st.integers(1, 80))
def test_fewer_players_are_done_sooner(in_play: int, turns: int) -> None:
    more = playing(turns * 0.5, turns, in_play=min(6, in_play + 1))
    assert minutes_left(playing(turns * 0.5, turns, in_play)) <= minutes_left(more)


def test_what_is_known_of_a_table_makes_its_range_narrower() -> None:
    def width(table: TableProgress) -> float:
        forecast = forecast_table(remaining_time(table, HALL))
        return forecast.late - forecast.early

    paper, full = TableProgress(kind(), 29.0), playing(25.0, 50, in_play=3)
    assert width(full) < width(playing(25.0, None, in_play=3)) < width(paper)


def test_high_noon_ends_games_soon() -> None:
    table = playing(25.0, 45)
    assert minutes_left(msgspec.structs.replace(table, is_noon=True)) < minutes_left(table) / 2


def test_a_hall_that_took_longer_in_earlier_rounds_is_expected_to_do_so_again() -> None:
    usual = learn_pace([played(30.0, 55)] * 6, ())
    slow = learn_pace([played(45.0, 55)] * 6, ())
    start = TableProgress(kind(), 0.0, is_begun=True, in_play=6)
    assert minutes_left(start, slow) == pytest.approx(1.5 * minutes_left(start, usual), rel=0.05)


def test_games_of_more_turns_and_light_games_correct_the_hall_as_well() -> None:
    start = TableProgress(kind(), 0.0, is_begun=True, in_play=6)
    assert minutes_left(start, learn_pace([played(44.0, 80)] * 6, ())) > 1.1 * minutes_left(start)
    assert minutes_left(start, learn_pace([played(60.0, None)] * 6, ())) > 1.2 * minutes_left(start)


def test_short_games_of_the_running_round_do_not_make_the_others_short() -> None:
    start = TableProgress(kind(), 0.0, is_begun=True, in_play=6)
    over = [played(8.0, 15)] * 6
    assert minutes_left(start, learn_pace((), (), over)) > 1.2 * minutes_left(start, learn_pace(over, ()))


def test_one_slow_table_is_slow_and_its_neighbours_hardly() -> None:
    usual, slow = playing(15.0, 30), playing(30.0, 30)
    hall = learn_pace((), [usual] * 5 + [slow])
    assert minutes_left(slow, hall) > 1.5 * minutes_left(usual, hall)
    alone = learn_pace((), [usual] * 6)
    assert minutes_left(usual, hall) < 1.15 * minutes_left(usual, alone)


@pytest.mark.slow
@given(st.lists(tables(), min_size=1, max_size=12), halls())
def test_a_round_ends_with_its_tables_and_one_of_them_is_last(
    ones: list[TableProgress], hall: HallPace
) -> None:
    left = {TableNo(number): remaining_time(one, hall) for number, one in enumerate(ones, 1)}
    forecast = forecast_round(left)
    assert forecast is not None
    assert 0 <= forecast.end.early <= forecast.end.minutes <= forecast.end.late
    latest = max(one.minutes for one in forecast.tables.values())
    step = max(one.minutes_at(0.9995) for one in left.values()) / 50
    assert forecast.end.minutes >= latest - 2 * step
    assert forecast.last in left
    assert 1 / len(left) - 1e-6 <= forecast.chance <= 1


def test_the_table_that_has_just_begun_will_be_last_and_the_round_without_tables_has_no_end() -> None:
    tables_left = {
        TableNo(1): remaining_time(playing(25.0, 50, in_play=2), HALL),
        TableNo(2): remaining_time(playing(1.0, 2), HALL),
    }
    forecast = forecast_round(tables_left)
    assert forecast is not None
    assert forecast.last == 2
    assert forecast.chance > 0.9
    assert forecast_round({}) is None


def test_when_the_time_of_all_tables_is_up_the_round_ends_now() -> None:
    over = msgspec.structs.replace(playing(40.0, 70), limit=-3.0)
    forecast = forecast_round(
        {TableNo(1): remaining_time(over, HALL), TableNo(2): remaining_time(over, HALL)}
    )
    assert forecast is not None
    assert forecast.end.late == 0
