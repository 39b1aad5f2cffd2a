"""The judge's PIN and key at the screen."""

import msgspec

from core.game.ending.sheet import ConfirmSheet
from core.game.state.game import Confirmation
from kiosk.view.intents import TryPin
from kiosk.view.table_view import PinState
from tests.kiosk.scenes.conftest import hand_on, intents_of
from tests.scenarios.moments import Table


def test_the_sheet_is_confirmed_by_pin() -> None:
    view = Table(6).declared().view()
    hand = hand_on(view)
    hand.touch("confirm-sheet", "pin-2", "pin-0", "pin-1", "pin-9", "pin-ok", view=view)
    assert intents_of(hand) == [TryPin("2019", ConfirmSheet(Confirmation.PIN))]
    assert hand.screen.scene_name() == "pin"


def test_the_sheet_is_confirmed_by_a_hold_while_the_key_is_turned() -> None:
    view = msgspec.structs.replace(Table(6).declared().view(), judge_present=True)
    hand = hand_on(view)
    assert next(t for t in hand.screen.targets() if t.id == "confirm-sheet").hold_ms == 800
    hand.touch("confirm-sheet")
    assert intents_of(hand) == [ConfirmSheet(Confirmation.KEY)]


def test_a_locked_pad_takes_no_digits() -> None:
    view = msgspec.structs.replace(Table(6).declared().view(), pin=PinState.LOCKED)
    hand = hand_on(view)
    hand.touch("confirm-sheet", view=view)
    assert [t.id for t in hand.screen.targets() if t.enabled] == ["back"]


def test_the_right_pin_opens_the_judges_menu() -> None:
    view = Table(6).running().view()
    hand = hand_on(view)
    hand.touch("menu", "judge-menu", "pin-2", "pin-0", "pin-1", "pin-9", "pin-ok", view=view)
    hand.screen.update(msgspec.structs.replace(view, pin=PinState.RIGHT))
    assert hand.screen.scene_name() == "judge"


def test_the_key_opens_the_judges_menu_also_from_the_pad_that_asks_for_the_pin() -> None:
    view = msgspec.structs.replace(Table(6).running().view(), pin=PinState.LOCKED)
    hand = hand_on(view)
    hand.touch("menu", "judge-menu", view=view)
    assert hand.screen.scene_name() == "pin"
    hand.screen.update(msgspec.structs.replace(view, judge_present=True))
    assert hand.screen.scene_name() == "judge"


def test_the_key_leads_from_the_pad_back_to_the_sheet_where_a_hold_confirms() -> None:
    view = Table(6).declared().view()
    hand = hand_on(view)
    hand.touch("confirm-sheet", view=view)
    assert hand.screen.scene_name() == "pin"
    hand.screen.update(msgspec.structs.replace(view, judge_present=True))
    assert hand.screen.scene_name() == "sheet"
    assert intents_of(hand) == []
    hand.touch("confirm-sheet")
    assert intents_of(hand) == [ConfirmSheet(Confirmation.KEY)]
