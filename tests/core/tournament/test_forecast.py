"""Expected ends and their ranges, for any table in any hall, from the progress of games."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.hall.played_games import played_log
from core.editions.loader import edition
from core.game.clock import EndByTimeLimit
from core.game.decide import GameCommand, decide
from core.game.ending.sheet import VoidGame
from core.game.events import GameStep
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, SetRecordMode
from core.game.setup import RestartGame
from core.game.state.decisions import Undo
from core.game.state.game import Phase
from core.game.timeline import Timeline, extend, fold, undoable
from core.rule_set import RecordMode
from core.terms import TableNo
from core.tournament.forecast import (
    REHEARSED,
    HallPace,
    RoundForecast,
    forecast_new_round,
    forecast_round,
    forecast_table,
    learn_pace,
    remaining_time,
)
from core.tournament.progress import (
    GameCourse,
    GameKind,
    PlayedGame,
    TableProgress,
    TimedState,
    course_of,
    game_kind,
    merge_pauses,
)

KINDS = tuple(
    game_kind(players, edition(key))
    for key, sizes in (("championship-2022", (5, 6, 7)), ("official-2003", (4, 5, 6, 7, 8)))
    for players in sizes
)


def kind(players: int = 6) -> GameKind:
    return game_kind(players, RULES)


def played(minutes: float, turns: int | None, players: int = 6) -> PlayedGame:
    return PlayedGame(kind(players), minutes, turns, is_whole=True)


@st.composite
def tables(draw: st.DrawFn, *, with_limit: bool | None = None) -> TableProgress:
    """A table before its first turn, in its game, or on paper."""
    of = draw(st.sampled_from(KINDS))
    minutes = draw(st.floats(0, 300))
    limit = draw(st.none() | st.floats(-30, 120)) if with_limit is None else None
    if with_limit:
        limit = draw(st.floats(-30, 120))
    if draw(st.booleans()):
        return TableProgress(of, minutes, in_play=draw(st.none() | st.just(of.players)), limit=limit)
    turns = draw(st.none() | st.integers(1, 250))
    reshuffles = draw(st.integers(0, 5))
    return TableProgress(
        kind=of,
        minutes=minutes,
        is_begun=True,
        in_play=draw(st.integers(2, of.players)),
        turns=turns,
        reshuffles=reshuffles,
        reshuffled_at=minutes * draw(st.floats(0, 1)) if reshuffles else 0.0,
        turns_since=draw(st.integers(0, turns or 30)),
        is_noon=draw(st.booleans()),
        limit=limit,
    )


@st.composite
def halls(draw: st.DrawFn) -> HallPace:
    """A hall with some games behind it."""
    games = draw(st.lists(st.tuples(st.floats(1, 200), st.none() | st.integers(5, 200)), max_size=8))
    return learn_pace([played(minutes, turns) for minutes, turns in games], ())


HALL = HallPace()
START = TableProgress(game_kind(6, edition("championship-2022")), 0.0, is_begun=True, in_play=6)
SHARES = st.floats(0.01, 0.99)


def minutes_left(table: TableProgress, hall: HallPace = HALL) -> float:
    return forecast_table(remaining_time(table, hall)).minutes


def forecast_of(*ones: TableProgress, hall: HallPace = HALL) -> RoundForecast:
    left = {TableNo(number): remaining_time(one, hall) for number, one in enumerate(ones, 1)}
    forecast = forecast_round(left)
    assert forecast is not None
    return forecast


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
    assert minutes_left(START, slow) == pytest.approx(1.5 * minutes_left(START, usual), rel=0.05)


def test_games_of_more_turns_and_light_games_correct_the_hall_as_well() -> None:
    assert minutes_left(START, learn_pace([played(44.0, 80)] * 6, ())) > 1.1 * minutes_left(START)
    assert minutes_left(START, learn_pace([played(60.0, None)] * 6, ())) > 1.2 * minutes_left(START)


def test_short_games_of_the_running_round_do_not_make_the_others_short() -> None:
    over = [played(8.0, 15)] * 6
    assert minutes_left(START, learn_pace((), (), over)) > 1.2 * minutes_left(START, learn_pace(over, ()))


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
    forecast = forecast_of(*ones, hall=hall)
    left = {TableNo(number): remaining_time(one, hall) for number, one in enumerate(ones, 1)}
    assert 0 <= forecast.end.early <= forecast.end.minutes <= forecast.end.late
    latest = max(one.minutes for one in forecast.tables.values())
    step = max(one.minutes_at(0.9995) for one in left.values()) / 50
    assert forecast.end.minutes >= latest - 2 * step
    assert forecast.last in left
    assert 1 / len(left) - 1e-6 <= forecast.chance <= 1


def test_the_table_that_has_just_begun_will_be_last_and_the_round_without_tables_has_no_end() -> None:
    forecast = forecast_of(playing(25.0, 50, in_play=2), playing(1.0, 2))
    assert forecast.last == 2
    assert forecast.chance > 0.9
    assert forecast_round({}) is None


def test_when_the_time_of_all_tables_is_up_the_round_ends_now() -> None:
    over = msgspec.structs.replace(playing(40.0, 70), limit=-3.0)
    assert forecast_of(over, over).end.late == 0


RULES = edition("championship-2022")
SPANS = st.lists(st.tuples(st.floats(0, 100), st.floats(0, 30)), max_size=6)


def game(steps: int | None = None) -> Timeline:
    """A game of six, or its first steps."""
    timeline = fold(played_log(3, 6)[:steps])
    assert timeline is not None
    return timeline


def log_of(timeline: Timeline) -> list[TimedState]:
    """One step a minute."""
    return [TimedState(float(minute), moment.state) for minute, moment in enumerate(timeline.moments)]


def course(timeline: Timeline) -> GameCourse:
    result = course_of(log_of(timeline), RULES)
    assert result is not None
    return result


def begun() -> Timeline:
    """Up to the first turn."""
    whole = game()
    first = next(n for n, moment in enumerate(whole.moments, 1) if moment.state.phase is Phase.PLAYING)
    return game(first)


def after(timeline: Timeline, *commands: GameCommand) -> Timeline:
    for command in commands:
        state = timeline.state
        events = decide(state, command, RULES, may_undo=undoable(timeline))
        timeline = extend(timeline, GameStep(state.game, events))
    return timeline


def test_before_the_roles_are_dealt_nothing_is_known() -> None:
    assert course_of([], RULES) is None
    assert course_of(log_of(game(3)), RULES) is None


def test_a_game_begins_with_its_first_turn_and_its_preparation_counts_from_the_deal() -> None:
    start = begun()
    dealt = next(one.minute for one in log_of(start) if one.state.phase is Phase.CHARACTERS)
    choosing = course(game(len(start.moments) - 1)).progress(dealt + 3)
    assert (choosing.is_begun, choosing.minutes, choosing.in_play) == (False, 3.0, 6)
    playing = course(start).progress(len(start.moments) + 4.0)
    assert (playing.is_begun, playing.minutes, playing.turns) == (True, 5.0, 1)


def test_turns_reshuffles_and_eliminations_are_read_from_what_counts() -> None:
    timeline = after(begun(), EndTurn(), Reshuffle(), EndTurn(), EndTurn())
    progress = course(timeline)
    assert (progress.turns, progress.reshuffles, progress.turns_since) == (4, 1, 2)
    assert progress.reshuffled == len(timeline.moments) - 3
    undone = course(after(timeline, Undo(3)))
    assert (undone.turns, undone.reshuffles) == (2, 0)
    whole = game()
    out = next(m.state for m in whole.moments if m.state.eliminations)
    assert course(fold_until(whole, out.turns)).in_play == 6 - len(out.eliminations)


def fold_until(whole: Timeline, turns: int) -> Timeline:
    steps = [moment.step for moment in whole.moments if moment.state.turns <= turns]
    timeline = fold(steps)
    assert timeline is not None
    return timeline


def test_turns_of_a_light_game_are_not_taken_for_all_turns() -> None:
    light = after(begun(), SetRecordMode(RecordMode.LIGHT))
    assert course(light).turns is None
    assert course(light).in_play == 6


def test_a_game_that_is_over_has_its_length_and_one_ended_by_the_clock_is_not_whole() -> None:
    timeline = after(begun(), EndTurn(), EndByTimeLimit())
    over = course(timeline).played
    assert over is not None
    assert (over.minutes, over.turns, over.is_whole) == (2.0, 2, False)


def test_a_voided_game_has_no_course_and_one_begun_again_only_its_second() -> None:
    timeline = after(begun(), EndTurn())
    assert course_of(log_of(after(timeline, VoidGame("wrong table"))), RULES) is None
    again = after(timeline, RestartGame("wrong cards"))
    assert course_of(log_of(again), RULES) is None


@given(SPANS, st.floats(0, 200))
def test_pauses_are_left_out_and_put_back(spans: list[tuple[float, float]], playing: float) -> None:
    pauses = merge_pauses([(begin, begin + length) for begin, length in spans])
    assert all(one[1] < other[0] for one, other in zip(pauses.spans, pauses.spans[1:], strict=False))
    moment = pauses.with_pauses(playing)
    assert moment >= playing
    assert abs(pauses.playing(moment) - playing) < 1e-6


def test_a_new_round_takes_longer_with_more_tables_and_no_longer_than_its_limit() -> None:
    few, many = (forecast_new_round([kind()] * count, REHEARSED) for count in (2, 20))
    limited = forecast_new_round([kind()] * 20, REHEARSED, limit=30)
    assert few is not None
    assert many is not None
    assert limited is not None
    assert few.end.minutes < many.end.minutes
    assert limited.end.late <= 30
    assert forecast_new_round([], REHEARSED) is None
