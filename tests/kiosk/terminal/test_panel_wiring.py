from collections.abc import Callable

import msgspec
import pytest

from core.editions.loader import edition
from core.game.decide import GameCommand, decide
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge
from core.game.events import evolve
from core.game.orders import SeatGame
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.state.game import GameState, HighNoon, Phase
from hardware.contract import ButtonPressed, Glow, Lamp, PanelButton, PressKind, Tune
from kiosk.terminal.panel_side import command_of, glows_of, lamp_of, tune_of
from sync.terminal.agent_contract import LinkPhase

OK = LinkPhase.CONNECTED


@pytest.fixture
def game(seat: Callable[..., SeatGame]) -> GameState:
    state: GameState | None = None
    for event in decide(None, seat().seating, edition("championship-2022")):
        state = evolve(state, event)
    assert state is not None
    return msgspec.structs.replace(state, phase=Phase.PLAYING)


@pytest.mark.parametrize(
    ("button", "command"),
    [
        (PanelButton.RESHUFFLE, Reshuffle()),
        (PanelButton.END_TURN, EndTurn()),
        (PanelButton.CALL_JUDGE, CallJudge()),
    ],
)
def test_a_press_asks_and_a_hold_does_not(game: GameState, button: PanelButton, command: GameCommand) -> None:
    assert command_of(ButtonPressed(button, PressKind.PRESSED, 1), game) == command
    assert command_of(ButtonPressed(button, PressKind.HELD, 1), game) is None
    assert command_of(ButtonPressed(button, PressKind.PRESSED, 1), None) is None


def test_the_judges_button_takes_an_open_call_back(game: GameState) -> None:
    called = msgspec.structs.replace(game, judge_called=True)
    assert (
        command_of(ButtonPressed(PanelButton.CALL_JUDGE, PressKind.PRESSED, 1), called) == AnswerJudgeCall()
    )


def test_the_lamp_says_where_the_table_is(game: GameState) -> None:
    def at(**fields: object) -> Lamp:
        return lamp_of(msgspec.structs.replace(game, **fields), OK)

    assert lamp_of(None, OK) is Lamp.WAITING
    assert lamp_of(None, LinkPhase.REFUSED) is Lamp.TROUBLE
    assert at() is Lamp.PLAYING
    assert at(phase=Phase.SEATING) is Lamp.PLAYING
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


def test_a_button_is_lit_where_it_does_something_and_blinks_where_it_is_expected(game: GameState) -> None:
    rules = edition("championship-2022")
    playing = msgspec.structs.replace(game, phase=Phase.PLAYING)
    assert glows_of(playing, rules) == {
        PanelButton.RESHUFFLE: Glow.LIT, PanelButton.END_TURN: Glow.LIT, PanelButton.CALL_JUDGE: Glow.LIT
    }  # fmt: skip
    called = msgspec.structs.replace(playing, judge_called=True)
    assert glows_of(called, rules)[PanelButton.CALL_JUDGE] is Glow.BLINKING
    assert set(glows_of(msgspec.structs.replace(game, phase=Phase.ROLES), rules)) == {PanelButton.CALL_JUDGE}
    assert glows_of(msgspec.structs.replace(game, phase=Phase.CONFIRMED), rules) == {}
    assert glows_of(None, None) == {}
