"""The reason for a call: the call is sent first, and a reason is optional."""

import pytest

from core.game.state.game import CallReason
from hardware.contract import PanelButton
from kiosk.scenes.judge.judge_called import WHY_MS
from tests.kiosk.rig.virtual_table import VirtualTable
from tests.kiosk.test_guards import press_twice, tap_twice


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("reason", list(CallReason))
def test_the_reason_follows_a_call_that_has_gone_out_already(five: VirtualTable, reason: CallReason) -> None:
    five.touch("call-judge")
    assert (five.game.judge_called, five.game.call_reason, five.scene()) == (
        True,
        None,
        "call-reason",
    )
    five.touch(f"reason-{reason.value}")
    assert (five.game.judge_called, five.game.call_reason, five.scene()) == (True, reason, "play")


def test_the_button_on_the_panel_calls_and_the_glass_asks(five: VirtualTable) -> None:
    five.press(PanelButton.CALL_JUDGE)
    assert five.game.judge_called
    five.advance(1)
    five.touch("reason-time")
    assert five.game.call_reason is CallReason.TIME


def test_a_question_that_is_ignored_goes_away_and_the_call_stays(five: VirtualTable) -> None:
    five.touch("call-judge")
    five.advance(WHY_MS / 1000 + 1)
    assert (five.scene(), five.game.judge_called) == ("play", True)
    five.touch("judge-called", "say-why", "reason-dispute")
    assert (five.scene(), five.game.call_reason) == ("play", CallReason.DISPUTE)
    five.touch("judge-called")
    assert any("Dispute" in text for text in five.says())
    assert not five.offers("say-why")


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("gap_ms", [80, 230, 500, 900])
def test_a_call_that_was_pressed_twice_gives_no_reason(five: VirtualTable, gap_ms: int) -> None:
    tap_twice(five, "call-judge", gap_ms)
    assert (five.game.judge_called, five.game.call_reason) == (True, None)
    press_twice(five, PanelButton.CALL_JUDGE, max(gap_ms, 160))
    assert (five.game.judge_called, five.game.call_reason) == (True, None)


def test_a_new_call_has_no_reason_yet(five: VirtualTable) -> None:
    five.touch("call-judge", "reason-rule", "judge-called", "judge-came")
    assert (five.game.judge_called, five.game.call_reason) == (False, None)
    five.touch("call-judge")
    assert (five.game.call_reason, five.scene()) == (None, "call-reason")


@pytest.mark.parametrize("by_button", [False, True])
def test_a_call_that_cannot_be_sent_says_so_before_it_asks(five: VirtualTable, *, by_button: bool) -> None:
    five.station.is_away = True
    five.advance(40)
    if by_button:
        five.press(PanelButton.CALL_JUDGE)
    else:
        five.touch("call-judge")
    assert (five.game.judge_called, five.scene()) == (True, "judge-called")
    assert any("can't reach the station" in text for text in five.says())
    five.touch("say-why")
    assert any("can't reach the station" in text for text in five.says())
    assert not any("The judge has been called" in text for text in five.says())
    five.touch("reason-terminal")
    assert (five.scene(), five.game.call_reason) == ("play", CallReason.TERMINAL)


def test_the_call_of_a_table_that_undoes_a_step_keeps_its_reason(five: VirtualTable) -> None:
    five.tap(2, "minus")
    five.touch("call-judge", "reason-rule", "undo")
    assert (five.game.judge_called, five.game.call_reason) == (True, CallReason.RULE)
