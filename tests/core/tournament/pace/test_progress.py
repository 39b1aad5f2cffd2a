"""The course of a game, as its log has it: beginning, turns, reshuffles, eliminations and end."""

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
from core.game.state.game import Phase
from core.game.timeline import Timeline, extend, fold, undoable
from core.game.undo import Undo
from core.rule_set import RecordMode
from core.tournament.progress import GameCourse, TimedState, course_of, merge_pauses

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
