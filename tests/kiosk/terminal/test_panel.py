"""The panel's buttons, key, lamps and other parts at a terminal."""

from pathlib import Path

import msgspec
import pytest

from core.editions.loader import edition
from core.game.decide import GameCommand, decide
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge
from core.game.events import evolve
from core.game.orders import Power, PowerChanged
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife
from core.game.state.game import GameState, HighNoon, Phase
from core.terms import Role, SeatNo
from hardware.contract import (
    Battery,
    ButtonPressed,
    Glow,
    Lamp,
    PanelButton,
    PartFailed,
    PartRecovered,
    PressKind,
    ReadingsReported,
    SensorReadings,
    Supply,
    SupplyTrouble,
    Tune,
)
from kiosk.terminal.orders_about_terminal import POWER_MS
from kiosk.terminal.panel_parts import News, power_news
from kiosk.terminal.panel_side import command_of, glows_of, lamp_of, tune_of
from kiosk.terminal.startup.composition import REQUEST, power_off
from kiosk.touch import Correction
from kiosk.ui.touch_recogniser import FRESH_MS
from kiosk.view.panel_view import ShutDown
from sync.terminal.agent_contract import LinkPhase
from tests.kiosk.rig.games import seated
from tests.kiosk.rig.stand_ins import seat_order
from tests.kiosk.rig.virtual_table import VirtualTable
from tests.kiosk.test_station_at_the_table import reports
from tests.scenarios.moments import Table

OK = LinkPhase.CONNECTED
POWER_S = POWER_MS / 1000


@pytest.fixture
def game() -> GameState:
    state: GameState | None = None
    for event in decide(None, seat_order().seating, edition("championship-2022")):
        state = evolve(state, event)
    assert state is not None
    return msgspec.structs.replace(state, phase=Phase.PLAYING)


@pytest.mark.parametrize(
    ("button", "called", "command"),
    [
        (PanelButton.RESHUFFLE, False, Reshuffle()),
        (PanelButton.END_TURN, False, EndTurn()),
        (PanelButton.CALL_JUDGE, False, CallJudge()),
        pytest.param(PanelButton.CALL_JUDGE, True, AnswerJudgeCall(), id="an open call is taken back"),
    ],
)
def test_a_press_asks_and_a_hold_does_not(
    game: GameState, button: PanelButton, command: GameCommand, *, called: bool
) -> None:
    game = msgspec.structs.replace(game, judge_called=called)
    assert command_of(ButtonPressed(button, PressKind.PRESSED, 1), game) == command
    assert command_of(ButtonPressed(button, PressKind.HELD, 1), game) is None
    assert command_of(ButtonPressed(button, PressKind.PRESSED, 1), None) is None


def test_the_lamp_says_where_the_table_is(game: GameState) -> None:
    def at(**fields: object) -> Lamp:
        return lamp_of(msgspec.structs.replace(game, **fields), OK)

    assert lamp_of(None, OK) is Lamp.WAITING
    assert lamp_of(None, LinkPhase.REFUSED) is Lamp.TROUBLE
    assert at() is at(phase=Phase.SEATING) is Lamp.PLAYING
    assert at(high_noon=HighNoon.ON) is Lamp.HIGH_NOON
    assert at(high_noon=HighNoon.ON, judge_called=True) is Lamp.JUDGE_CALLED
    assert at(phase=Phase.ENDED) is at(phase=Phase.SHEET) is Lamp.ENDED
    assert at(phase=Phase.CONFIRMED) is at(phase=Phase.VOIDED) is Lamp.WAITING
    assert lamp_of(game, LinkPhase.REFUSED) is Lamp.PLAYING
    assert lamp_of(game, OK, is_asked=True) is Lamp.ASKED


def test_the_buzzer_tells_of_high_noon_the_end_and_a_call_once(game: GameState) -> None:
    def after(**fields: object) -> GameState:
        return msgspec.structs.replace(game, **fields)

    noon = after(high_noon=HighNoon.ON)
    assert tune_of(game, noon) is Tune.HIGH_NOON
    assert tune_of(noon, noon) is None
    assert tune_of(game, after(phase=Phase.ENDED)) is Tune.GAME_OVER
    assert tune_of(game, after(judge_called=True)) is Tune.ATTENTION
    assert tune_of(after(judge_called=True), game) is None
    assert tune_of(None, noon) is None
    assert tune_of(game, None) is None
    assert tune_of(msgspec.structs.replace(game, game="another"), noon) is None


def test_changes_in_play_make_small_sounds_but_not_at_a_calm_table() -> None:
    tunes = []
    for is_calm in (False, True):
        table = Table(7).begun()
        for command in (LoseLife(SeatNo(2)), EndTurn(), Reshuffle()):
            before = table.state
            tunes.append(tune_of(before, table.do(command).state, is_calm=is_calm))
        before = table.state
        tunes.append(tune_of(before, table.kill(3, 2, Role.OUTLAW).state, is_calm=is_calm))
    small = [Tune.LIFE_CHANGED, Tune.TURN_PASSED, Tune.RESHUFFLED, Tune.ELIMINATED]
    assert tunes == [*small, None, None, None, None]


def test_a_button_is_lit_where_it_does_something_and_blinks_where_it_is_expected(game: GameState) -> None:
    rules = edition("championship-2022")
    five = msgspec.structs.replace(game, phase=Phase.PLAYING)
    assert glows_of(five, rules) == {
        PanelButton.RESHUFFLE: Glow.LIT, PanelButton.END_TURN: Glow.LIT, PanelButton.CALL_JUDGE: Glow.LIT
    }  # fmt: skip
    called = msgspec.structs.replace(five, judge_called=True)
    assert glows_of(called, rules)[PanelButton.CALL_JUDGE] is Glow.BLINKING
    assert set(glows_of(msgspec.structs.replace(game, phase=Phase.ROLES), rules)) == {PanelButton.CALL_JUDGE}
    assert glows_of(msgspec.structs.replace(game, phase=Phase.CONFIRMED), rules) == {}
    assert glows_of(None, None) == {}


LOW = frozenset({SupplyTrouble.UNDER_VOLTAGE})
TO_TOUCHES = (
    *("broken",) * 5, *("seen-nothing",) * 4, "broken", "broken", *("next-colour",) * 5, "works"
)  # fmt: skip
"""The touches of a self-test up to the step of touches."""


def in_self_test(table: VirtualTable) -> None:
    table.turn_key(on=True)
    table.touch("judge-menu", "self-test", "start")


def report_readings(table: VirtualTable, readings: SensorReadings, seconds: float = 0) -> None:
    """Report readings, and let time pass."""
    table.terminal.on_panel_events((ReadingsReported(readings),), table.clock.now_ms)
    table.after(0)
    table.advance(seconds)


def fails(table: VirtualTable, part: str, why: str = "busy") -> None:
    table.terminal.on_panel_events((PartFailed(part, why),), table.clock.now_ms)


def test_news_of_power_are_told_once_when_it_gets_worse() -> None:
    fine = SensorReadings(battery=Battery(90, on_mains=True), supply=Supply())
    lost = SensorReadings(battery=Battery(90, on_mains=False), supply=Supply())
    low = SensorReadings(battery=Battery(10, on_mains=False, is_low=True), supply=Supply(LOW, LOW))
    assert power_news(fine, lost) == (News.MAINS_LOST,)
    assert power_news(lost, low) == (News.BATTERY_LOW, News.UNDER_VOLTAGE)
    assert power_news(low, low) == ()
    assert power_news(low, fine) == ()
    assert power_news(fine, SensorReadings(supply=Supply(frozenset(), LOW))) == ()


def test_a_flat_battery_is_told_before_a_broken_part_and_each_until_it_was_read(table: VirtualTable) -> None:
    fails(table, "key")
    report_readings(table, SensorReadings(battery=Battery(5, on_mains=False, is_low=True)))
    for beginning in ("No mains power", "The battery is almost empty", "Broken: judge's key switch"):
        assert table.view.notice.startswith(beginning)
        table.touch("dismiss")
    assert table.view.notice == ""


@pytest.mark.parametrize("part", ["heat", "supply", "battery", "backlight", "fan"])
def test_players_are_not_told_of_parts_that_they_do_not_use(table: VirtualTable, part: str) -> None:
    fails(table, part, "no answer")
    assert table.view.notice == ""


def test_a_part_that_works_again_is_not_told_as_broken_any_more(table: VirtualTable) -> None:
    fails(table, "key")
    assert table.view.notice
    table.terminal.on_panel_events((PartRecovered("key"),), table.clock.now_ms)
    assert table.view.notice == ""


@pytest.mark.slow
def test_a_loose_wire_counts_few_reshuffles_and_the_table_is_told_to_undo_them(five: VirtualTable) -> None:
    before = five.game
    for _ in range(40):
        five.press(PanelButton.RESHUFFLE, in_earnest=False)
        five.advance(0.15)
    assert 0 < five.game.reshuffles - before.reshuffles <= 5
    notice = "Misfiring: reshuffle button. Undo its entries."
    assert five.view.notice == notice
    five.advance(31)
    assert five.panel.state().failed_parts == ()
    assert five.view.notice == notice
    five.touch("dismiss")
    assert five.view.notice == ""


@pytest.mark.slow
def test_a_self_test_goes_through_every_part_and_tells_what_was_found(table: VirtualTable) -> None:
    in_self_test(table)
    for button in PanelButton:
        assert table.scene() == f"test-button-{button.value}"
        assert not table.offers("works")
        blinks = button in table.panel.state().lit
        table.advance(0.5)
        assert blinks != (button in table.panel.state().lit) or button is PanelButton.SHUT_DOWN
        table.press(button)
        table.touch("works")
    assert table.scene() == "test-key"
    for on in (False, True):
        table.turn_key(on=on)
    table.touch("works")
    for seen, says in (
        ("red", Lamp.JUDGE_CALLED),
        ("green", Lamp.PLAYING),
        ("blue", Lamp.WAITING),
        ("nothing", Lamp.ENDED),
    ):
        assert table.lamp().pattern is says
        table.touch(f"seen-{seen}")
    assert table.scene() == "test-buzzer"
    assert table.tune() is not None
    table.touch("works", "light-40")
    assert table.brightness() == 40
    table.touch("works")
    assert table.brightness() == table.view.preferences.brightness
    table.touch(*("next-colour",) * 5, "works", "works", "as-it-was")
    assert table.scene() == "test-report"
    table.terminal.recorded.clear()
    table.touch("done")
    results = next(intent.results for intent in table.terminal.recorded if hasattr(intent, "results"))
    assert dict(results) == {
        **{f"button {button.value}": "fine" for button in PanelButton},
        "key": "fine", "lamp red": "fine", "lamp green": "fine", "lamp blue": "fine", "lamp white": "wrong",
        "buzzer": "fine", "backlight": "fine", "pixels": "fine", "touch": "fine", "calibration": "left out",
    }  # fmt: skip
    assert table.lamp().pattern is Lamp.WAITING
    assert table.scene() == "judge"


@pytest.mark.slow
def test_a_self_test_that_nobody_goes_on_with_gives_the_parts_back(table: VirtualTable) -> None:
    in_self_test(table)
    assert table.lamp().pattern is Lamp.OFF
    table.advance(181)
    assert not table.scene().startswith("test-")
    assert table.lamp().pattern is Lamp.WAITING


def to_calibration(table: VirtualTable) -> None:
    in_self_test(table)
    table.touch(*TO_TOUCHES, "works")
    assert table.scene() == "test-calibration"


def crosses(table: VirtualTable, *, off: int = 0, mirrored: bool = False) -> None:
    width, height = table.rigging.glass.width, table.rigging.glass.height
    for x, y in ((0.1, 0.12), (0.9, 0.12), (0.9, 0.88), (0.1, 0.88), (0.5, 0.5)):
        place = (1 - x if mirrored else x) * width + off
        table.touch_at(round(place), round(y * height))


@pytest.mark.slow
def test_a_touch_panel_that_is_off_is_set_right_and_stays_so_after_a_restart(table: VirtualTable) -> None:
    to_calibration(table)
    crosses(table, off=24)
    assert table.view.parts.touch_trial
    target = table.target("keep").rect
    table.advance(FRESH_MS / 1000)
    # The panel reports touches 24 pixels too far to the right.
    table.touch_at(target[0] + 2 + 24, target[1] + target[3] // 2)
    assert table.scene() == "test-report"
    kept = table.view.preferences.touch
    assert kept is not None
    assert kept.at((0.5 + 24 / 800, 0.5))[0] == pytest.approx(0.5, abs=0.005)
    table.restart()
    assert table.view.touch == kept


@pytest.mark.slow
def test_a_calibration_that_nobody_can_confirm_is_taken_back(table: VirtualTable) -> None:
    to_calibration(table)
    crosses(table, off=24)
    assert table.view.parts.touch_trial
    table.advance(15.1)
    assert table.view.touch is None
    assert table.view.preferences.touch is None
    assert not table.offers("keep")
    table.touch("as-it-was")
    assert table.scene() == "test-report"


@pytest.mark.slow
def test_a_cross_that_is_missed_by_far_does_not_count_and_nothing_changes(table: VirtualTable) -> None:
    to_calibration(table)
    table.touch_at(700, 90)
    assert "1 of 5" in " ".join(table.says())
    crosses(table)
    tried = table.view.touch
    assert tried is not None
    assert tried.at((0.5, 0.5)) == pytest.approx((0.5, 0.5), abs=0.01)
    table.touch("again")
    assert table.view.touch is None


@pytest.mark.slow
def test_fingers_are_drawn_counted_and_gone_when_they_are_lifted(table: VirtualTable) -> None:
    in_self_test(table)
    table.touch(*TO_TOUCHES)
    table.lay((100, 100), 1)
    table.lay((400, 200), 2)
    assert any("fingers now 2, max 2" in said for said in table.says())
    table.lift(1, 2)
    assert any("2 of 32 squares · fingers now 0, max 2" in said for said in table.says())


def test_a_held_button_asks_and_a_touch_answers(table: VirtualTable) -> None:
    calls: list[str] = []
    table.shut_down = lambda: calls.append("off")
    table.press(PanelButton.SHUT_DOWN)
    assert table.scene() == "waiting"
    table.press(PanelButton.SHUT_DOWN, hold_ms=3_000)
    assert table.scene() == "shut-down"
    table.touch("shut-down-no")
    assert (table.scene(), calls) == ("waiting", [])
    table.press(PanelButton.SHUT_DOWN, hold_ms=3_000)
    table.touch("shut-down-yes")
    assert calls == ["off"]


def test_a_second_hold_answers_where_the_screen_is_dead_and_a_stuck_button_never_does(
    table: VirtualTable,
) -> None:
    calls: list[str] = []
    table.shut_down = lambda: calls.append("off")
    table.press(PanelButton.SHUT_DOWN, hold_ms=25_000)
    assert table.view.parts.shut_down is ShutDown.ASKED
    assert calls == []
    table.press(PanelButton.SHUT_DOWN, hold_ms=3_000)
    assert calls == ["off"]
    table.press(PanelButton.SHUT_DOWN, hold_ms=3_000)
    table.advance(31)
    assert table.scene() == "waiting"
    table.press(PanelButton.SHUT_DOWN, hold_ms=3_000)
    assert calls == ["off"]


def test_a_system_that_refuses_to_shut_down_is_told(table: VirtualTable) -> None:
    def refuses() -> None:
        raise PermissionError("no rights")

    table.shut_down = refuses
    table.press(PanelButton.SHUT_DOWN, hold_ms=3_000)
    table.touch("shut-down-yes")
    assert "Can't shut down" in table.says()
    table.touch("shut-down-no")
    assert table.scene() == "waiting"


def test_the_system_is_asked_by_a_file_where_it_started_the_program(tmp_path: Path) -> None:
    power_off({"RUNTIME_DIRECTORY": str(tmp_path)})
    assert (tmp_path / REQUEST).exists()
    with pytest.raises(FileNotFoundError):
        power_off({})
    with pytest.raises(OSError, match="power-off"):
        power_off({"RUNTIME_DIRECTORY": str(tmp_path / "gone")})


def test_a_correction_after_another_does_both() -> None:
    shift, grow = Correction(x0=0.1), Correction(xx=1.1, yy=0.9, y0=0.05)
    place = (0.3, 0.6)
    assert grow.after(shift).at(place) == pytest.approx(grow.at(shift.at(place)))


@pytest.mark.slow
def test_lamps_in_buttons_follow_the_game(table: VirtualTable) -> None:
    assert table.panel.state().lit == ()
    seated(table)
    others = (PanelButton.RESHUFFLE, PanelButton.END_TURN)
    assert table.panel.state().lit == (*others, PanelButton.CALL_JUDGE)
    table.press(PanelButton.CALL_JUDGE)
    seen = set()
    for _ in range(4):
        seen.add(table.panel.state().lit)
        table.advance(0.5)
    assert seen == {others, (*others, PanelButton.CALL_JUDGE)}


@pytest.mark.slow
def test_a_button_in_a_self_test_changes_nothing_of_a_game(five: VirtualTable) -> None:
    five.turn_key(on=True)
    before = five.entries()
    five.touch("menu", "judge-menu", "self-test", "start")
    for button in (PanelButton.CALL_JUDGE, PanelButton.END_TURN, PanelButton.RESHUFFLE):
        five.press(button)
    assert five.entries() == before
    assert not five.game.judge_called
    five.touch("leave-test")
    five.press(PanelButton.CALL_JUDGE)
    assert five.game.judge_called


def reported(table: VirtualTable) -> list[Power]:
    return [fact.power for fact in reports(table) if isinstance(fact, PowerChanged)]


def test_the_station_hears_of_power_that_lasts(table: VirtualTable) -> None:
    mains, lost, low = (
        SensorReadings(battery=Battery(charge, on_mains=on_mains, is_low=charge < 10))
        for charge, on_mains in ((90, True), (80, False), (5, False))
    )
    report_readings(table, mains, POWER_S + 1)
    report_readings(table, lost, POWER_S / 2)
    report_readings(table, mains, POWER_S + 1)
    assert reported(table) == []
    report_readings(table, lost, POWER_S + 1)
    assert reported(table) == [Power.BATTERY]
    report_readings(table, low, POWER_S + 1)
    report_readings(table, mains, POWER_S + 60)
    assert reported(table) == [Power.BATTERY, Power.LOW, Power.MAINS]


def test_after_a_restart_only_a_change_is_reported(table: VirtualTable) -> None:
    low = SensorReadings(battery=Battery(5, on_mains=False, is_low=True))
    report_readings(table, low, POWER_S + 1)
    table.restart()
    # Nothing has been measured yet, which isn't the same as mains power.
    table.advance(POWER_S + 1)
    assert reported(table) == [Power.LOW]
    report_readings(table, low, POWER_S + 1)
    assert reported(table) == [Power.LOW]


def test_a_weak_supply_is_reported(table: VirtualTable) -> None:
    report_readings(table, SensorReadings(supply=Supply(LOW, LOW)), POWER_S + 1)
    assert reported(table) == [Power.WEAK]
