"""Unintended presses, keys, windows and gestures change nothing, and never end a terminal."""

from collections.abc import Callable

import pygame
import pytest

from core.game.orders import RelieveTable
from core.game.play.reshuffles import fewest_deck_turns
from core.rule_set import RecordMode, RuleSet
from core.terms import Ending
from hardware.contract import Lamp, PanelButton
from kiosk.terminal.mistakes import CALL_MS, END_TURN_MS
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.conftest import MakeTable
from tests.kiosk.rig.games import seat_game, seated
from tests.kiosk.rig.virtual_table import Rigging, VirtualTable

GAPS = (80, 100, 230, 500, 1_000)


def tap_twice(table: VirtualTable, name: str, gap_ms: int) -> None:
    """Tap the place of a target, and the same place a moment later."""
    table.advance(1)
    place = table.place(name)
    for _ in range(2):
        table.lay(place)
        table.after(50)
        table.lift()
        table.after(max(0, gap_ms - 50))


def press_twice(table: VirtualTable, button: PanelButton, gap_ms: int) -> None:
    for _ in range(2):
        table.press(button, in_earnest=False)
        table.advance(max(0, gap_ms - 160) / 1000)


def at_the_last_turn_before_a_fall(table: VirtualTable) -> None:
    """Bring a table to High Noon, with one life point left to the player of the next turn."""
    seated(table)
    for _ in range(3):
        table.touch("reshuffle")
    table.touch("end-turn")
    table.lose_life(3, left=1)
    table.advance(3)


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("gap_ms", GAPS)
def test_a_second_tap_on_end_turn_takes_no_beer(table: VirtualTable, gap_ms: int) -> None:
    at_the_last_turn_before_a_fall(table)
    tap_twice(table, "end-turn", gap_ms)
    assert (table.scene(), table.game.pending) == ("last-life", (3,))
    table.advance(END_TURN_MS / 1000)
    table.touch("rescue-beer")
    assert (table.scene(), table.game.seats[2].life) == ("play", 1)


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("gap_ms", GAPS)
def test_a_turn_that_has_just_begun_does_not_end_by_a_second_press(five: VirtualTable, gap_ms: int) -> None:
    tap_twice(five, "end-turn", gap_ms)
    assert five.game.turn == 2
    five.advance(END_TURN_MS / 1000)
    press_twice(five, PanelButton.END_TURN, max(gap_ms, 160))
    assert five.game.turn == 3
    five.advance(END_TURN_MS / 1000)
    five.touch("end-turn")
    assert five.game.turn == 4


def test_an_end_of_turn_that_was_taken_back_may_be_entered_again_at_once(five: VirtualTable) -> None:
    five.touch("end-turn", "undo")
    five.press(PanelButton.END_TURN, in_earnest=False)
    assert five.game.turn == 2


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("gap_ms", [80, 100, 230, 500, 900])
def test_one_reshuffle_pressed_twice_counts_once(five: VirtualTable, gap_ms: int) -> None:
    tap_twice(five, "reshuffle", gap_ms)
    assert (five.game.reshuffles, five.scene()) == (1, "play")
    five.touch("undo")
    press_twice(five, PanelButton.RESHUFFLE, max(gap_ms, 160))
    assert (five.game.reshuffles, five.scene()) == (1, "play")


def ask_for_reshuffle(table: VirtualTable, *, is_asked: bool) -> None:
    """Press the panel's button; deny a second reshuffle if the table is asked about it."""
    table.press(PanelButton.RESHUFFLE)
    assert (table.game.reshuffles, table.scene()) == ((1, "reshuffle-again") if is_asked else (2, "play"))
    if is_asked:
        table.touch("back")


def test_a_reshuffle_before_the_discard_pile_can_have_been_drawn_is_asked_about(five: VirtualTable) -> None:
    five.touch("reshuffle")
    assert five.view.edition is not None
    fewest = fewest_deck_turns(five.game, five.view.edition)
    assert fewest == 4
    for turns in range(fewest + 1):
        five.advance(60)
        ask_for_reshuffle(five, is_asked=turns < fewest)
        five.touch(*(("end-turn",) if turns < fewest else ()))


def test_a_reshuffle_soon_after_another_is_asked_about_where_no_turns_are_entered(
    table: VirtualTable,
) -> None:
    seated(table, seat_game(rules=RuleSet("championship-2022", mode=RecordMode.LIGHT)))
    table.touch("reshuffle")
    for seconds, is_asked in ((21, True), (30, False)):
        table.advance(seconds)
        ask_for_reshuffle(table, is_asked=is_asked)


@pytest.mark.parametrize("rules", ["official-2003", "simplified-2003"])
def test_no_reshuffle_is_asked_about_where_there_is_no_high_noon(table: VirtualTable, rules: str) -> None:
    seated(table, seat_game(rules=RuleSet(rules)))
    table.touch("reshuffle")
    for seconds, count in ((2, 2), (30, 3)):
        table.advance(seconds)
        table.touch("reshuffle", confirms=False)
        assert (table.scene(), table.game.reshuffles) == ("play", count)


@pytest.mark.slow
@pytest.mark.parametrize("by_button", [False, True])
def test_a_reshuffle_soon_after_another_is_asked_about(five: VirtualTable, *, by_button: bool) -> None:
    five.touch("reshuffle")
    for answer, count in (("back", 1), ("reshuffled-again", 2)):
        five.advance(5)
        if by_button:
            five.press(PanelButton.RESHUFFLE, in_earnest=False)
        else:
            five.touch_at(*five.place("reshuffle"))
        assert five.scene() == "reshuffle-again"
        five.touch(answer)
        assert (five.scene(), five.game.reshuffles) == ("play", count)


def with_nobody_left_to_save(table: VirtualTable) -> None:
    seated(table)
    table.lose_life(3)
    assert table.scene() == "last-life"


def test_the_panels_reshuffle_beside_a_question_is_asked_about_and_counts_when_it_was_meant(
    table: VirtualTable,
) -> None:
    with_nobody_left_to_save(table)
    for answer, before, after in (
        ("back", 0, 0),
        ("reshuffled-again", 0, 1),
        ("back", 1, 1),
        ("reshuffled-again", 1, 2),
    ):
        table.press(PanelButton.RESHUFFLE)
        assert (table.scene(), table.game.reshuffles) == ("reshuffle-again", before)
        table.touch(answer)
        assert (table.scene(), table.game.reshuffles) == ("last-life", after)


def test_a_table_whose_game_is_handed_to_a_spare_leaves_what_fingers_have_opened(table: VirtualTable) -> None:
    with_nobody_left_to_save(table)
    table.touch("eliminated")
    table.order(RelieveTable(table.game.game))
    assert table.scene() == "relieved"
    table.press(PanelButton.RESHUFFLE)
    assert (table.scene(), table.game.reshuffles) == ("relieved", 0)


def test_the_panels_other_buttons_beside_a_question(table: VirtualTable) -> None:
    with_nobody_left_to_save(table)
    table.press(PanelButton.END_TURN)
    assert (table.game.turn, table.view.notice.endswith("answer that question first.")) == (1, True)
    table.touch("dismiss")
    table.press(PanelButton.CALL_JUDGE)
    assert (table.scene(), table.game.judge_called) == ("call-reason", True)


@pytest.mark.slow
@pytest.mark.parametrize("gap_ms", [100, 230, 500])
def test_two_taps_on_undo_take_one_step_back(five: VirtualTable, gap_ms: int) -> None:
    for seat in (2, 3):
        five.tap(seat, "minus")
    steps = five.view.may_undo
    tap_twice(five, "undo", gap_ms)
    assert five.view.may_undo == steps - 1


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("gap_ms", [*GAPS, 2_500])
def test_an_impatient_press_does_not_cancel_the_call(five: VirtualTable, gap_ms: int) -> None:
    tap_twice(five, "call-judge", gap_ms)
    assert five.game.judge_called
    press_twice(five, PanelButton.CALL_JUDGE, max(gap_ms, 160))
    assert five.game.judge_called
    assert five.lamp().pattern is Lamp.JUDGE_CALLED


@pytest.mark.slow
@pytest.mark.parametrize("gap_s", [0.5, 1.5, 2.5])
def test_a_second_press_of_the_panels_judge_button_says_that_the_judge_is_called(
    five: VirtualTable, gap_s: float
) -> None:
    five.press(PanelButton.CALL_JUDGE)
    assert five.scene() == "call-reason"
    five.advance(gap_s)
    for _ in range(2):
        five.press(PanelButton.CALL_JUDGE, in_earnest=False)
        assert (five.scene(), five.game.judge_called) == ("judge-called", True)
    five.touch("back")
    assert five.scene() == "call-reason"
    five.advance(2)
    five.touch("back")
    assert five.scene() == "play"


def test_a_call_ends_where_the_table_says_so(five: VirtualTable) -> None:
    five.press(PanelButton.CALL_JUDGE)
    five.advance(CALL_MS / 1000)
    five.press(PanelButton.CALL_JUDGE)
    assert five.scene() == "judge-called"
    five.press(PanelButton.CALL_JUDGE)
    assert five.game.judge_called
    five.touch("cancel-call")
    assert (five.scene(), five.game.judge_called) == ("play", False)
    five.touch("call-judge", "back", "judge-called", "judge-came")
    assert (five.scene(), five.game.judge_called) == ("play", False)


def test_a_program_that_names_its_target_means_every_touch(make_table: MakeTable) -> None:
    table = make_table(Rigging(door=True))
    seated(table)
    for turn in (2, 3):
        table.loop._fingers.touch(*table.place("end-turn"), 60, is_named=True)
        table.after(1)
        table.after(100)
        assert table.game.turn == turn


def test_a_killer_who_is_not_on_turn_makes_the_revolution_once_the_turn_is_right(table: VirtualTable) -> None:
    rules = rebel_rules()
    seated(table, seat_game(rules=RuleSet(rules.key, rules.chosen), players=4))
    table.touch("end-turn")
    table.lose_life(1)
    table.touch("eliminated", "by-seat-3")
    assert "Is it Čeněk Dvořák's turn?" in table.says()
    table.touch("other-turn")
    assert (table.game.turn, table.game.turns_played) == (3, (1, 1, 1, 0))
    table.touch("role-sheriff")
    assert (table.scene(), table.game.revolution_question) == ("revolution", 3)


def test_a_killer_in_the_turn_of_another_stays_one(table: VirtualTable) -> None:
    seated(table, seat_game(players=4))
    table.touch("end-turn")
    table.lose_life(1)
    table.touch("eliminated", "by-seat-3", "same-turn", "role-sheriff")
    assert (table.game.turn, table.game.ending) == (2, Ending.OUTLAWS_WIN)
    assert table.game.eliminations[0].by == 3


@pytest.mark.slow
@pytest.mark.parametrize("cause", [("by-dynamite",), ("by-own-duel", "by-seat-1")])
@pytest.mark.parametrize(
    ("answer", "turn"),
    [
        pytest.param("other-turn", 4, id="an eliminated player's turn passes to the next player"),
        pytest.param("same-turn", 1, id="it is the turn of somebody else"),
    ],
)
def test_somebody_out_by_dynamite_or_in_their_own_duel_is_asked_about_the_turn(
    five: VirtualTable, cause: tuple[str, ...], answer: str, turn: int
) -> None:
    five.touch("seat-3-menu", "eliminated", "by-nobody", *cause, "back")
    assert five.offers("by-nobody")
    five.touch("by-nobody", *cause)
    assert "Is it Čeněk Dvořák's turn?" in five.says()
    five.touch(answer, "role-outlaw")
    assert (five.game.eliminations[0].seat, five.game.turn) == (3, turn)


@pytest.mark.slow
def test_a_killer_in_the_own_turn_is_asked_nothing(five: VirtualTable) -> None:
    five.lose_life(2)
    five.touch("eliminated", "by-seat-1")
    assert not five.offers("same-turn")


KEYS = (pygame.K_ESCAPE, pygame.K_q, pygame.K_F4, pygame.K_DELETE, pygame.K_RETURN, pygame.K_POWER)
WINDOW = (
    pygame.QUIT,
    pygame.WINDOWCLOSE,
    pygame.WINDOWMINIMIZED,
    pygame.WINDOWFOCUSLOST,
    pygame.ACTIVEEVENT,
)


def close_window(table: VirtualTable) -> None:
    for kind in WINDOW:
        pygame.event.post(pygame.event.Event(kind))
        table.after(0)


def press_keys(table: VirtualTable) -> None:
    for key in KEYS:
        for held in (0, pygame.KMOD_ALT, pygame.KMOD_CTRL | pygame.KMOD_ALT):
            for kind in (pygame.KEYDOWN, pygame.KEYUP):
                pygame.event.post(pygame.event.Event(kind, key=key, mod=held, unicode=""))
            table.after(0)


def lay_both_hands(table: VirtualTable) -> None:
    for finger in range(10):
        table.fingers.lay(finger, 396 + finger % 2, 236 + finger // 2)
    table.after(0)
    table.advance(10)
    table.lift(*range(10))


@pytest.mark.parametrize("attempt", [close_window, press_keys, lay_both_hands])
def test_neither_windows_nor_keys_nor_ten_fingers_do_anything(
    five: VirtualTable, attempt: Callable[[VirtualTable], None]
) -> None:
    entries = five.entries()
    attempt(five)
    assert not five.loop._stopping
    assert (five.entries(), five.scene()) == (entries, "play")
