"""The station's actions at a virtual table: messages, screen lock, identification, restart."""

import msgspec
import pytest

from core.entry_chain import content_of
from core.game.orders import (
    AssignTable,
    GlassUnlocked,
    IdentifyTerminal,
    LockGlass,
    MessageConfirmed,
    MessageExpired,
    MessageShown,
    PinsLocked,
    RelieveTable,
    RestartTerminal,
    ShowMessage,
    TerminalFact,
    TerminalReport,
    WithdrawMessage,
)
from core.game.play.wounds import LoseLife
from core.terms import GameId, MessageId, Seconds, TableNo
from hardware.contract import Lamp, PanelButton, Tune
from kiosk.preferences import Layout
from kiosk.terminal.orders_about_terminal import IDENTIFY_MS
from kiosk.ui.geometry import screen_geometry_for
from tests.kiosk.conftest import MakeTable
from tests.kiosk.rig.games import seat_game, seated
from tests.kiosk.rig.virtual_table import CHEAP_PIN, PIN, Rigging, VirtualTable
from tests.scenarios.terminal_moments import LONGEST

M1, M2 = MessageId("m1"), MessageId("m2")
LUNCH = ShowMessage(M1, "Stop playing, lunch is at 13:00", "Roy")
COAT = ShowMessage(M2, "Whose coat is this?", "Ann")


def reports(table: VirtualTable) -> list[TerminalFact]:
    facts = []
    for raw in table.entries():
        body = content_of(raw).body
        if msgspec.msgpack.decode(body)["body"] == "terminal-report":
            facts.append(msgspec.msgpack.decode(body, type=TerminalReport).fact)
    return facts


def is_restarting(table: VirtualTable) -> bool:
    return table.loop.is_restarting


def confirm(table: VirtualTable, button: str = "message-read") -> None:
    """Wait as long as it takes to read a message, then touch its button."""
    table.advance(1.1)
    table.touch(button)


def lose_last_life(table: VirtualTable, seat: int) -> None:
    """Touch minus until the table is asked about the last life point."""
    for _ in range(table.game.seats[seat - 1].life):
        table.tap(seat, "minus")


def test_a_message_lies_over_an_open_question_which_is_there_again_afterwards(table: VirtualTable) -> None:
    seated(table)
    lose_last_life(table, 3)
    assert table.scene() == "last-life"
    before = table.game
    table.order(LUNCH)
    assert table.scene() == "message"
    assert table.says().count(LUNCH.text) == 2
    assert "Message from Roy" in table.says()
    assert table.tune() is Tune.ATTENTION
    confirm(table)
    assert table.scene() == "last-life"
    assert table.game == before
    assert reports(table) == [MessageShown(M1), MessageConfirmed(M1)]
    assert table.offers("eliminated")


def test_what_fingers_have_opened_is_still_open_under_a_message(table: VirtualTable) -> None:
    seated(table)
    table.touch("menu", "story")
    table.order(LUNCH)
    confirm(table, "message-read-far")
    assert table.scene() == "story"


def test_a_touch_meant_for_something_else_confirms_nothing(table: VirtualTable) -> None:
    seated(table)
    table.order(LUNCH)
    target = next(t for t in table.screen.targets() if t.id == "message-read")
    x, y = target.rect[0] + target.rect[2] // 2, target.rect[1] + target.rect[3] // 2
    table.advance(0.6)
    table.touch_at(x, y)
    assert table.scene() == "message"
    table.advance(1)
    table.touch_at(x, y)
    assert table.scene() == "play"


def test_a_finger_that_is_down_when_a_message_comes_does_nothing_more(table: VirtualTable) -> None:
    seated(table)
    minus = table.target("seat-2-minus")
    x, y = minus.rect[0] + minus.rect[2] // 2, minus.rect[1] + minus.rect[3] // 2
    life = table.game.seats[1].life
    table.fingers.lay(1, x, y)
    table.order(LUNCH)
    table.advance(3)
    table.fingers.lift(1)
    table.after(0)
    assert table.scene() == "message"
    assert table.game.seats[1].life >= life - 1
    assert reports(table) == [MessageShown(M1)]


def test_messages_queue_and_a_double_press_confirms_only_the_first(table: VirtualTable) -> None:
    seated(table)
    table.order(LUNCH, COAT)
    assert "Message from Roy · 1 more message" in table.says()
    confirm(table)
    assert COAT.text in table.says()
    table.touch_again()
    assert COAT.text in table.says()
    confirm(table)
    assert table.scene() == "play"
    assert [fact.message for fact in reports(table) if isinstance(fact, MessageConfirmed)] == [M1, M2]


def test_a_message_wakes_a_dark_terminal_and_stays_over_a_restart(painted: VirtualTable) -> None:
    table = painted
    table.advance(3600)
    assert table.is_black()
    table.order(LUNCH)
    assert not table.is_black()
    assert table.scene() == "message"
    table.restart()
    assert table.scene() == "message"
    confirm(table)
    assert table.scene() == "waiting"
    table.restart()
    assert table.scene() == "waiting"


def test_a_message_goes_when_it_is_withdrawn_or_its_time_is_over(table: VirtualTable) -> None:
    seated(table)
    table.order(LUNCH)
    table.order(WithdrawMessage(M1))
    assert table.scene() == "play"
    table.order(msgspec.structs.replace(COAT, lasts_s=Seconds(600)))
    table.advance(599)
    assert table.scene() == "message"
    table.station.is_away = True
    table.advance(2)
    assert table.scene() == "play"
    table.station.is_away = False
    table.after(0)
    assert reports(table) == [MessageShown(M1), MessageShown(M2), MessageExpired(M2)]
    table.restart()
    assert table.scene() == "play"


def test_a_message_that_comes_late_is_not_shown_in_the_next_game(table: VirtualTable) -> None:
    table.order(msgspec.structs.replace(LUNCH, game=GameId("g0")), seat_game())
    assert table.scene() == "seating"
    assert reports(table) == []


def test_a_terminal_that_was_away_shows_the_message_when_it_is_back(table: VirtualTable) -> None:
    seated(table)
    table.station.is_away = True
    table.order(LUNCH)
    table.advance(30)
    assert table.scene() == "play"
    table.station.is_away = False
    table.advance(1)
    assert table.scene() == "message"


def test_an_upright_terminal_shows_a_message_once(table: VirtualTable) -> None:
    preferences = msgspec.structs.replace(table.view.preferences, layout=Layout.KEEPER)
    table.terminal._choices.prefer(preferences)
    table.order(LUNCH)
    assert table.says().count(LUNCH.text) == 1
    assert not table.offers("message-read-far")


@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
def test_the_longest_message_is_confirmed_from_both_sides(
    make_table: MakeTable, size: tuple[int, int]
) -> None:
    for button in ("message-read", "message-read-far"):
        table = make_table(Rigging(glass=screen_geometry_for(size)))
        table.order(msgspec.structs.replace(LUNCH, text=LONGEST))
        confirm(table, button)
        assert table.scene() == "waiting"


def test_a_locked_glass_says_so_and_neither_fingers_nor_buttons_change_the_game(table: VirtualTable) -> None:
    seated(table)
    before = table.game
    table.order(LockGlass(True, "Ann"))
    assert table.scene() == "glass-locked"
    assert "Locked by Ann" in table.says()
    table.press(PanelButton.END_TURN)
    table.press(PanelButton.RESHUFFLE)
    assert table.game == before
    table.press(PanelButton.CALL_JUDGE)
    assert table.game.judge_called
    table.restart()
    assert table.scene() == "glass-locked"
    table.order(LockGlass(False, "Ann"))
    assert table.scene() == "play"
    table.press(PanelButton.END_TURN)
    assert table.game.turn != before.turn


def test_the_judge_at_the_table_unlocks_by_pin_or_key(table: VirtualTable) -> None:
    seated(table)
    table.order(LockGlass(True, "Ann"))
    table.touch("unlock-glass")
    for digit in "1111":
        table.touch(f"pin-{digit}")
    table.touch("pin-ok")
    assert table.scene() == "pin"
    for digit in PIN:
        table.touch(f"pin-{digit}")
    table.touch("pin-ok")
    assert table.scene() == "play"
    assert reports(table)[-1] == GlassUnlocked(is_at_table=True)
    table.restart()
    assert table.scene() == "play"
    table.order(LockGlass(True, "Ann"))
    table.turn_key(on=True)
    table.touch("unlock-glass")
    assert table.scene() == "play"


def test_each_lock_of_the_keypad_is_reported_once_also_where_the_plug_is_pulled(table: VirtualTable) -> None:
    seated(table)
    table.touch("menu")
    table.touch("judge-menu")
    for _ in range(5):
        assert reports(table) == []
        for digit in "1111":
            table.touch(f"pin-{digit}")
        table.touch("pin-ok")
    assert reports(table) == [PinsLocked(5)]
    table.advance(1.0)
    table.restart()
    table.advance(1.0)
    assert reports(table) == [PinsLocked(5)]


def test_a_message_lies_over_a_locked_glass_and_what_is_open_returns(table: VirtualTable) -> None:
    seated(table)
    lose_last_life(table, 3)
    table.order(LUNCH, LockGlass(True, "Ann"))
    assert table.scene() == "message"
    confirm(table)
    assert table.scene() == "glass-locked"
    table.order(LockGlass(False, "Ann"))
    assert table.scene() == "last-life"


def test_a_terminal_is_found_by_its_lamp_a_sound_and_large_words(table: VirtualTable) -> None:
    seated(table)
    table.order(IdentifyTerminal("3fa29b1c"))
    assert table.scene() == "identified"
    assert ("This is table" in table.says(), "3" in table.says()) == (True, True)
    assert table.tune() is Tune.ATTENTION
    seen = set()
    for _ in range(20):
        table.advance(0.05)
        assert table.lamp().pattern is Lamp.IDENTIFY
        seen.add(table.lamp().colour)
    assert seen == {(1, 1, 1), (0, 0, 0)}
    table.advance(IDENTIFY_MS / 1000)
    assert table.scene() == "play"
    assert table.lamp().pattern is Lamp.PLAYING


def test_a_spare_is_found_by_its_name_and_ends_it_by_a_touch(table: VirtualTable) -> None:
    table.order(IdentifyTerminal("3fa29b1c"))
    assert "3fa29b1c" in table.says()
    table.touch("found")
    assert table.scene() == "waiting"
    assert table.lamp().pattern is Lamp.WAITING
    table.restart()
    assert table.scene() == "waiting"


def test_a_replaced_terminal_is_found_as_a_spare_unless_it_moved_to_another_table(
    table: VirtualTable,
) -> None:
    seated(table)
    table.order(RelieveTable(table.game.game), IdentifyTerminal("3fa29b1c"))
    assert {"Spare terminal", "3fa29b1c"} <= set(table.says())
    table.touch("found")
    table.order(AssignTable(TableNo(9), CHEAP_PIN), IdentifyTerminal("3fa29b1c"))
    assert {"This is table", "9"} <= set(table.says())


def test_a_restart_waits_for_fingers_and_keeps_the_game(table: VirtualTable) -> None:
    seated(table)
    table.tap(2, "minus")
    minus = table.target("seat-3-minus")
    table.fingers.lay(1, minus.rect[0] + 5, minus.rect[1] + 5)
    table.order(RestartTerminal())
    table.advance(2)
    assert not is_restarting(table)
    table.fingers.lift(1)
    table.after(0)
    table.advance(0.9)
    assert not is_restarting(table)
    table.advance(0.2)
    assert is_restarting(table)
    before = table.game
    table.restart()
    assert not is_restarting(table)
    table.advance(5)
    assert not is_restarting(table)
    assert table.game == before
    assert table.terminal._keeper.ask(LoseLife(before.seats[0].seat))


def test_a_restart_waits_until_all_is_saved(table: VirtualTable) -> None:
    seated(table)
    table.advance(2)
    table.agent.saves = False
    table.tap(2, "minus")
    table.agent.saves = True
    table.order(RestartTerminal())
    table.agent.saves = False
    table.tap(2, "minus")
    table.advance(5)
    assert not is_restarting(table)
    table.agent.saves = True
    table.advance(2)
    assert is_restarting(table)
