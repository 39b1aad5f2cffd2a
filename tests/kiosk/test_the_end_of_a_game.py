"""From the ending to the confirmation in the whole app: dispute, wrong PINs, power cuts, the key."""

import pytest

from core.game.ending.sheet import awaited_seats, open_disputes
from core.game.state.game import Phase
from core.terms import SeatNo
from hardware.contract import Lamp
from kiosk.rehearsal.brain import Brain
from kiosk.view.table_view import PinState
from tests.kiosk.rig.games import play, seated
from tests.kiosk.rig.live_table import wait_until
from tests.kiosk.rig.virtual_table import PIN, VirtualTable


@pytest.fixture
def ended(table: VirtualTable) -> VirtualTable:
    seated(table)
    play(table, Brain(1), until=lambda game: game.phase is Phase.ENDED)
    return table


def dispute(table: VirtualTable) -> SeatNo:
    seat = awaited_seats(table.game)[0]
    table.touch(f"seat-{seat}-disputes", "dispute-now")
    return seat


@pytest.mark.slow
def test_a_dispute_calls_the_judge_over_a_power_cut_until_the_key_settles_it(ended: VirtualTable) -> None:
    seat = dispute(ended)
    assert ended.lamp().pattern is Lamp.JUDGE_CALLED
    ended.restart()
    assert (ended.scene(), open_disputes(ended.game)) == ("ending", (seat,))
    for other in awaited_seats(ended.game):
        if other != seat:
            ended.touch(f"seat-{other}-agrees")
    assert not ended.offers("to-roles")
    ended.turn_key(on=True)
    ended.touch("menu", "judge-menu", "goes-on", f"seat-{seat}-waive")
    assert any("continues without" in words for words in ended.says())
    ended.touch("dismiss")
    play(ended, Brain(1), until=lambda game: game.phase is Phase.SHEET)
    ended.touch("confirm-sheet")
    assert ended.game.phase is Phase.CONFIRMED
    assert ended.game.agreement.disputed == ended.game.agreement.waived == (seat,)


@pytest.mark.slow
@pytest.mark.parametrize("settles", ["agrees", "settles"])
def test_the_call_of_a_dispute_ends_when_the_last_dispute_is_settled(
    ended: VirtualTable, settles: str
) -> None:
    first = dispute(ended)
    second = next(seat for seat in awaited_seats(ended.game) if seat != first)
    ended.touch(f"seat-{second}-disputes", "dispute-now", f"seat-{first}-agrees")
    assert ended.game.judge_called
    ended.touch(f"seat-{second}-{settles}")
    assert (open_disputes(ended.game), ended.game.judge_called) == ((), False)
    assert ended.lamp().pattern is Lamp.ENDED


@pytest.mark.slow
def test_a_call_that_the_table_made_itself_outlives_a_dispute(ended: VirtualTable) -> None:
    ended.touch("call-judge", "back")
    seat = dispute(ended)
    ended.touch(f"seat-{seat}-agrees")
    assert (open_disputes(ended.game), ended.game.judge_called) == ((), True)


@pytest.mark.slow
def test_five_wrong_pins_lock_over_a_pulled_plug_and_count_down(ended: VirtualTable) -> None:
    ended.touch("menu", "judge-menu")
    for _ in range(4):
        ended.type_pin("0000")
    ended.restart()
    ended.touch("menu", "judge-menu")
    ended.type_pin("0000")
    assert ended.view.pin is PinState.LOCKED
    ended.advance(20)
    assert "0:10" in ended.says()
    ended.restart()
    ended.touch("menu", "judge-menu")
    assert {"0:28", "0:29", "0:30"} & set(ended.says())
    assert not ended.offers("pin-1")
    ended.advance(31)
    ended.type_pin()
    assert ended.scene() == "judge"


@pytest.mark.slow
def test_a_game_is_played_again_and_the_step_is_whole_after_a_power_cut(ended: VirtualTable) -> None:
    before = ended.game
    ended.turn_key(on=True)
    ended.touch("menu", "judge-menu", "restart-game", "reason-2", "do-it")
    assert any("begins again" in words for words in ended.says())
    ended.restart()
    assert (ended.game.phase, ended.game.game) == (Phase.SEATING, before.game)
    assert [seat.player for seat in ended.game.seats] == [seat.player for seat in before.seats]
    assert not ended.offers("undo")  # a player can't restore an old game by mistake
    ended.touch("menu", "judge-menu", "step-back")
    assert any("voided" in target.label for target in ended.screen.targets())
    ended.touch("back", "back", "back")
    play(ended, Brain(2, PIN), until=lambda game: game.phase is Phase.CONFIRMED)


def says(table: VirtualTable, words: str) -> bool:
    return any(words in text for text in table.says())


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("has_key", [False, True])
@pytest.mark.parametrize("way", [("seat-3-leaves",), ("eliminated", "by-nobody", "by-leaving")])
def test_a_player_who_has_left_is_named_at_the_table(
    five: VirtualTable, way: tuple[str, ...], *, has_key: bool
) -> None:
    if has_key:
        five.turn_key(on=True)
    five.touch("seat-3-menu", *way, "seat-3-abandon")
    if not has_key:
        assert (five.scene(), says(five, "Čeněk Dvořák leaves?")) == ("pin", True)
        five.type_pin()
    assert (five.scene(), five.game.seats[2].passive) == ("play", True)
    assert says(five, "Čeněk Dvořák has left.")
    five.touch("dismiss")
    assert not says(five, "Čeněk Dvořák has left.")


def test_a_wrong_pin_keeps_the_player(five: VirtualTable) -> None:
    five.touch("seat-3-menu", "seat-3-leaves", "seat-3-abandon", *["pin-1"] * 4, "pin-ok")
    assert (five.scene(), five.game.seats[2].passive) == ("pin", False)
    five.touch("back", "back")
    assert five.scene() == "player-menu"


def test_an_undo_beyond_the_turn_says_that_it_needs_a_judge_and_why(five: VirtualTable) -> None:
    five.touch("end-turn", "end-turn", "undo")
    assert five.target("undo-judge").label == "Judge: undo"
    undo = next(b for block in five.screen._blocks for b in block.buttons if b.id == "undo-judge")
    assert (undo.label, undo.small) == ("Undo", "Judge")
    five.touch("undo-judge")
    assert says(five, "This step belongs to an earlier turn: only a judge can undo it.")
    five.type_pin()
    assert (five.scene(), five.game.turn) == ("play", 1)


@pytest.mark.slow
def test_a_confirmed_game_can_be_taken_home_after_a_power_cut(ended: VirtualTable) -> None:
    play(ended, Brain(1, PIN), until=lambda game: game.phase is Phase.CONFIRMED)
    ended.restart()
    wait_until(ended, lambda: ended.offers("take-home"))
    ended.touch("take-home")
    story = ended.view.story_code
    assert story is not None
    assert all(seat.name in story.text for seat in ended.game.seats)
    ended.touch("back")
    assert ended.scene() == "confirmed"
