"""The station at a virtual table: messages, screen lock, identification, restart and sign-in by phone."""

import msgspec
import pytest

from core.entry_chain import content_of
from core.game.orders import (
    AssignTable,
    CheckInSeat,
    GlassUnlocked,
    IdentifyTerminal,
    LockGlass,
    MessageConfirmed,
    MessageExpired,
    MessageShown,
    OfferSignIn,
    PinsLocked,
    RelieveTable,
    RestartTerminal,
    ShowMessage,
    TerminalFact,
    TerminalReport,
    WithdrawMessage,
)
from core.game.play.wounds import LoseLife
from core.terms import GameId, MessageId, SeatNo, Seconds, TableNo
from hardware.contract import Lamp, PanelButton, Tune
from kiosk.preferences import Layout
from kiosk.terminal.link.qr_codes import code_of
from kiosk.terminal.orders_about_terminal import IDENTIFY_MS
from kiosk.ui.geometry import screen_geometry_for
from tests.kiosk.conftest import MakeTable
from tests.kiosk.rig.games import seat_game
from tests.kiosk.rig.live_table import wait_until
from tests.kiosk.rig.virtual_table import CHEAP_PIN, Rigging, VirtualTable
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


def test_a_message_lies_over_an_open_question_which_is_there_again_afterwards(five: VirtualTable) -> None:
    five.lose_life(3)
    assert five.scene() == "last-life"
    before = five.game
    five.order(LUNCH)
    assert five.scene() == "message"
    assert five.says().count(LUNCH.text) == 2
    assert "Message from Roy" in five.says()
    assert five.tune() is Tune.ATTENTION
    confirm(five)
    assert five.scene() == "last-life"
    assert five.game == before
    assert reports(five) == [MessageShown(M1), MessageConfirmed(M1)]
    assert five.offers("eliminated")


def test_what_fingers_have_opened_is_still_open_under_a_message(five: VirtualTable) -> None:
    five.touch("menu", "story")
    five.order(LUNCH)
    confirm(five, "message-read-far")
    assert five.scene() == "story"


def test_a_touch_meant_for_something_else_confirms_nothing(five: VirtualTable) -> None:
    five.order(LUNCH)
    place = five.place("message-read")
    five.advance(0.6)
    five.touch_at(*place)
    assert five.scene() == "message"
    five.advance(1)
    five.touch_at(*place)
    assert five.scene() == "play"


def test_a_finger_that_is_down_when_a_message_comes_does_nothing_more(five: VirtualTable) -> None:
    life = five.game.seats[1].life
    five.fingers.lay(1, *five.place("seat-2-minus"))
    five.order(LUNCH)
    five.advance(3)
    five.lift()
    assert five.scene() == "message"
    assert five.game.seats[1].life >= life - 1
    assert reports(five) == [MessageShown(M1)]


def test_messages_queue_and_a_double_press_confirms_only_the_first(five: VirtualTable) -> None:
    five.order(LUNCH, COAT)
    assert "Message from Roy · 1 more message" in five.says()
    confirm(five)
    assert COAT.text in five.says()
    five.touch_again()
    assert COAT.text in five.says()
    confirm(five)
    assert five.scene() == "play"
    assert [fact.message for fact in reports(five) if isinstance(fact, MessageConfirmed)] == [M1, M2]


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


def test_a_message_goes_when_it_is_withdrawn_or_its_time_is_over(five: VirtualTable) -> None:
    five.order(LUNCH)
    five.order(WithdrawMessage(M1))
    assert five.scene() == "play"
    five.order(msgspec.structs.replace(COAT, lasts_s=Seconds(600)))
    five.advance(599)
    assert five.scene() == "message"
    five.station.is_away = True
    five.advance(2)
    assert five.scene() == "play"
    five.station.is_away = False
    five.after(0)
    assert reports(five) == [MessageShown(M1), MessageShown(M2), MessageExpired(M2)]
    five.restart()
    assert five.scene() == "play"


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


def test_a_locked_glass_says_so_and_neither_fingers_nor_buttons_change_the_game(five: VirtualTable) -> None:
    before = five.game
    five.order(LockGlass(True, "Ann"))
    assert five.scene() == "glass-locked"
    assert "Locked by Ann" in five.says()
    five.press(PanelButton.END_TURN)
    five.press(PanelButton.RESHUFFLE)
    assert five.game == before
    five.press(PanelButton.CALL_JUDGE)
    assert five.game.judge_called
    five.restart()
    assert five.scene() == "glass-locked"
    five.order(LockGlass(False, "Ann"))
    assert five.scene() == "play"
    five.press(PanelButton.END_TURN)
    assert five.game.turn != before.turn


def test_the_judge_at_the_table_unlocks_by_pin_or_key(five: VirtualTable) -> None:
    five.order(LockGlass(True, "Ann"))
    five.touch("unlock-glass")
    five.type_pin("1111")
    assert five.scene() == "pin"
    five.type_pin()
    assert five.scene() == "play"
    assert reports(five)[-1] == GlassUnlocked(is_at_table=True)
    five.restart()
    assert five.scene() == "play"
    five.order(LockGlass(True, "Ann"))
    five.turn_key(on=True)
    five.touch("unlock-glass")
    assert five.scene() == "play"


def test_each_lock_of_the_keypad_is_reported_once_also_where_the_plug_is_pulled(five: VirtualTable) -> None:
    five.touch("menu", "judge-menu")
    for _ in range(5):
        assert reports(five) == []
        five.type_pin("1111")
    assert reports(five) == [PinsLocked(5)]
    five.advance(1.0)
    five.restart()
    five.advance(1.0)
    assert reports(five) == [PinsLocked(5)]


def test_a_message_lies_over_a_locked_glass_and_what_is_open_returns(five: VirtualTable) -> None:
    five.lose_life(3)
    five.order(LUNCH, LockGlass(True, "Ann"))
    assert five.scene() == "message"
    confirm(five)
    assert five.scene() == "glass-locked"
    five.order(LockGlass(False, "Ann"))
    assert five.scene() == "last-life"


def test_a_terminal_is_found_by_its_lamp_a_sound_and_large_words(five: VirtualTable) -> None:
    five.order(IdentifyTerminal("3fa29b1c"))
    assert five.scene() == "identified"
    assert ("This is table" in five.says(), "3" in five.says()) == (True, True)
    assert five.tune() is Tune.ATTENTION
    seen = set()
    for _ in range(20):
        five.advance(0.05)
        assert five.lamp().pattern is Lamp.IDENTIFY
        seen.add(five.lamp().colour)
    assert seen == {(1, 1, 1), (0, 0, 0)}
    five.advance(IDENTIFY_MS / 1000)
    assert five.scene() == "play"
    assert five.lamp().pattern is Lamp.PLAYING


def test_a_spare_is_found_by_its_name_and_ends_it_by_a_touch(table: VirtualTable) -> None:
    table.order(IdentifyTerminal("3fa29b1c"))
    assert "3fa29b1c" in table.says()
    table.touch("found")
    assert table.scene() == "waiting"
    assert table.lamp().pattern is Lamp.WAITING
    table.restart()
    assert table.scene() == "waiting"


def test_a_replaced_terminal_is_found_as_a_spare_unless_it_moved_to_another_table(five: VirtualTable) -> None:
    five.order(RelieveTable(five.game.game), IdentifyTerminal("3fa29b1c"))
    assert {"Spare terminal", "3fa29b1c"} <= set(five.says())
    five.touch("found")
    five.order(AssignTable(TableNo(9), CHEAP_PIN), IdentifyTerminal("3fa29b1c"))
    assert {"This is table", "9"} <= set(five.says())


def test_a_restart_waits_for_fingers_and_keeps_the_game(five: VirtualTable) -> None:
    five.tap(2, "minus")
    five.fingers.lay(1, *five.place("seat-3-minus"))
    five.order(RestartTerminal())
    five.advance(2)
    assert not is_restarting(five)
    five.lift()
    five.advance(0.9)
    assert not is_restarting(five)
    five.advance(0.2)
    assert is_restarting(five)
    before = five.game
    five.restart()
    assert not is_restarting(five)
    five.advance(5)
    assert not is_restarting(five)
    assert five.game == before
    assert five.terminal._keeper.ask(LoseLife(before.seats[0].seat))


def test_a_restart_waits_until_all_is_saved(five: VirtualTable) -> None:
    five.advance(2)
    five.agent.saves = False
    five.tap(2, "minus")
    five.agent.saves = True
    five.order(RestartTerminal())
    five.agent.saves = False
    five.tap(2, "minus")
    five.advance(5)
    assert not is_restarting(five)
    five.agent.saves = True
    five.advance(2)
    assert is_restarting(five)


G1 = GameId("g1")
LINK = "https://192.0.2.1/in/7KQ3M9XWPT4C"


@pytest.fixture
def offered(table: VirtualTable) -> VirtualTable:
    table.order(seat_game())
    assert not table.offers("phone-sign-in")
    table.order(OfferSignIn(G1, LINK))
    wait_until(table, lambda: table.offers("phone-sign-in"))
    return table


def test_the_code_holds_the_link_of_the_table_and_everybody_can_go_back(offered: VirtualTable) -> None:
    offered.touch("phone-sign-in")
    assert offered.scene() == "phone-sign-in"
    assert LINK in offered.says()
    offer = offered.view.sign_in
    assert offer is not None
    assert offer.code == code_of(LINK)
    offered.touch("back")
    assert offered.scene() == "seating"


def test_a_phone_checks_its_player_in_while_the_code_is_shown(offered: VirtualTable) -> None:
    offered.touch("phone-sign-in")
    offered.order(CheckInSeat(G1, SeatNo(2), "it"))
    assert "Missing: 4" in offered.says()
    offered.touch("back")
    assert offered.game.seats[1].checked_in
    assert "presente" in " ".join(offered.says()).lower() or "qui" in " ".join(offered.says()).lower()
    assert not offered.offers("seat-2-check-in")


def test_the_language_chosen_by_phone_outlives_a_restart(offered: VirtualTable) -> None:
    offered.order(CheckInSeat(G1, SeatNo(2), "it"), CheckInSeat(G1, SeatNo(3), "tlh"))
    offered.restart()
    assert [(one.player, one.language) for one in offered.view.preferences.spoken] == [("p2", "it")]
    assert offered.game.seats[2].checked_in


def test_without_the_station_the_table_looks_as_before(offered: VirtualTable) -> None:
    offered.station.is_away = True
    offered.advance(0.2)
    assert not offered.offers("phone-sign-in")
    offered.station.is_away = False
    offered.order(OfferSignIn(G1, ""))
    offered.advance(0.5)
    assert offered.scene() == "seating"
    assert not offered.offers("phone-sign-in")


def test_a_link_too_long_for_a_code_is_left_out(table: VirtualTable) -> None:
    table.order(seat_game(), OfferSignIn(G1, "https://192.0.2.1/" + "x" * 5000))
    table.advance(0.5)
    assert table.scene() == "seating"
    assert not table.offers("phone-sign-in")
