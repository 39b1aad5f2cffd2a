"""The reason for a call: the call is sent first, and a reason is optional."""

import pytest

from core.game.state.game import CallReason
from hardware.contract import PanelButton
from kiosk.scenes.judge.judge_called import WHY_MS
from tests.kiosk.rig.games import seated
from tests.kiosk.rig.virtual_table import VirtualTable
from tests.kiosk.test_guards import press_twice, tap_twice


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("reason", list(CallReason))
def test_the_reason_follows_a_call_that_has_gone_out_already(table: VirtualTable, reason: CallReason) -> None:
    seated(table)
    table.touch("call-judge")
    assert (table.game.judge_called, table.game.call_reason, table.scene()) == (True, None, "call-reason")
    table.touch(f"reason-{reason.value}")
    assert (table.game.judge_called, table.game.call_reason, table.scene()) == (True, reason, "play")


def test_the_button_on_the_panel_calls_and_the_glass_asks(table: VirtualTable) -> None:
    seated(table)
    table.press(PanelButton.CALL_JUDGE)
    assert table.game.judge_called
    table.advance(1)
    table.touch("reason-time")
    assert table.game.call_reason is CallReason.TIME


def test_a_question_that_is_ignored_goes_away_and_the_call_stays(table: VirtualTable) -> None:
    seated(table)
    table.touch("call-judge")
    table.advance(WHY_MS / 1000 + 1)
    assert (table.scene(), table.game.judge_called) == ("play", True)
    table.touch("judge-called", "say-why", "reason-dispute")
    assert (table.scene(), table.game.call_reason) == ("play", CallReason.DISPUTE)
    table.touch("judge-called")
    assert any("Dispute" in text for text in table.says())
    assert not table.offers("say-why")


@pytest.mark.by_day(2)
@pytest.mark.slow
@pytest.mark.parametrize("gap_ms", [80, 230, 500, 900])
def test_a_call_that_was_pressed_twice_gives_no_reason(table: VirtualTable, gap_ms: int) -> None:
    seated(table)
    tap_twice(table, "call-judge", gap_ms)
    assert (table.game.judge_called, table.game.call_reason) == (True, None)
    press_twice(table, PanelButton.CALL_JUDGE, max(gap_ms, 160))
    assert (table.game.judge_called, table.game.call_reason) == (True, None)


def test_a_new_call_has_no_reason_yet(table: VirtualTable) -> None:
    seated(table)
    table.touch("call-judge", "reason-rule", "judge-called", "judge-came")
    assert (table.game.judge_called, table.game.call_reason) == (False, None)
    table.touch("call-judge")
    assert (table.game.call_reason, table.scene()) == (None, "call-reason")


@pytest.mark.parametrize("by_button", [False, True])
def test_a_call_that_cannot_be_sent_says_so_before_it_asks(table: VirtualTable, *, by_button: bool) -> None:
    seated(table)
    table.station.is_away = True
    table.advance(40)
    if by_button:
        table.press(PanelButton.CALL_JUDGE)
    else:
        table.touch("call-judge")
    assert (table.game.judge_called, table.scene()) == (True, "judge-called")
    assert any("can't reach the station" in text for text in table.says())
    table.touch("say-why")
    assert any("can't reach the station" in text for text in table.says())
    assert not any("The judge has been called" in text for text in table.says())
    table.touch("reason-terminal")
    assert (table.scene(), table.game.call_reason) == ("play", CallReason.TERMINAL)


def test_the_call_of_a_table_that_undoes_a_step_keeps_its_reason(table: VirtualTable) -> None:
    seated(table)
    table.tap(2, "minus")
    table.touch("call-judge", "reason-rule", "undo")
    assert (table.game.judge_called, table.game.call_reason) == (True, CallReason.RULE)
