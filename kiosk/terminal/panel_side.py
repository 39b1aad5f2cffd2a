"""The panel's part in a game: commands from its buttons, and its lamps and tunes."""

from typing import assert_never

from core.editions.edition import Edition
from core.game.decide import GameCommand, why_not
from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.state.game import GameState, HighNoon, Phase
from hardware.contract import (
    KEY,
    ButtonPressed,
    Glow,
    Lamp,
    Panel,
    PanelButton,
    PanelEvent,
    PartFailed,
    PartRecovered,
    PressKind,
    ReadingsReported,
    SwitchMoved,
    Tune,
)
from kiosk.terminal.lock import TableLock
from kiosk.terminal.panel_parts import Parts
from kiosk.view.table_view import RoundTime
from sync.terminal.agent_contract import LinkPhase


def command_of(press: ButtonPressed, game: GameState | None) -> GameCommand | None:
    """Return the command for a press, or None for a hold or without a game."""
    if game is None or press.kind is not PressKind.PRESSED:
        return None
    return _command_of_button(press.button, game)


def _command_of_button(button: PanelButton, game: GameState) -> GameCommand | None:
    match button:
        case PanelButton.RESHUFFLE:
            return Reshuffle()
        case PanelButton.END_TURN:
            return EndTurn()
        case PanelButton.CALL_JUDGE:
            return AnswerJudgeCall() if game.judge_called else CallJudge()
        case PanelButton.SHUT_DOWN:
            return None
        case _:
            assert_never(button)


def glows_of(game: GameState | None, edition: Edition | None) -> dict[PanelButton, Glow]:
    """Return the buttons' lamps: lit if a press has an effect, blinking if one is expected.

    A press is expected to confirm that the judge has arrived.
    """
    if game is None or edition is None or game.phase in {Phase.CONFIRMED, Phase.VOIDED}:
        return {}
    glows = {}
    for button in PanelButton:
        command = _command_of_button(button, game)
        if command is not None and why_not(game, command, edition) is None:
            is_expected = isinstance(command, AnswerJudgeCall)
            glows[button] = Glow.BLINKING if is_expected else Glow.LIT
    return glows


def lamp_of(
    game: GameState | None, link: LinkPhase, time: RoundTime | None = None, *, is_asked: bool = False
) -> Lamp:
    """Return the message of the status lamp. ``is_asked``: the table is asked about an omission."""
    if game is None or game.phase in {Phase.CONFIRMED, Phase.VOIDED}:
        return Lamp.TROUBLE if link in {LinkPhase.REFUSED, LinkPhase.REVOKED} else Lamp.WAITING
    if game.judge_called:
        return Lamp.JUDGE_CALLED
    if game.phase in {Phase.ENDED, Phase.SHEET}:
        return Lamp.ENDED
    if time is not None and time.is_over and game.high_noon not in {HighNoon.CALLED, HighNoon.ON}:
        return Lamp.TIME_OVER
    if time is not None and time.warns_min is not None:
        return Lamp.TIME_SHORT
    if is_asked:
        return Lamp.ASKED
    if game.phase is Phase.PLAYING and game.high_noon is HighNoon.ON:
        return Lamp.HIGH_NOON
    return Lamp.PLAYING


def tune_of(before: GameState | None, after: GameState | None, *, is_calm: bool = False) -> Tune | None:
    """Return the tune for a change of the game's state, or None. ``is_calm``: changes in play have none."""
    if before is None or after is None or before.game != after.game:
        return None
    if after.high_noon is HighNoon.ON and before.high_noon is not HighNoon.ON:
        return Tune.HIGH_NOON
    ended = after.phase is Phase.ENDED and before.phase is Phase.PLAYING
    won = after.phase is Phase.SHEET and before.phase is Phase.DUEL
    if ended or won:
        return Tune.GAME_OVER
    if after.judge_called and not before.judge_called:
        return Tune.ATTENTION
    return None if is_calm or after.phase is not Phase.PLAYING else _tune_in_play(before, after)


def _tune_in_play(before: GameState, after: GameState) -> Tune | None:
    changes = {
        Tune.ELIMINATED: len(after.eliminations) > len(before.eliminations),
        Tune.RESHUFFLED: after.reshuffles > before.reshuffles,
        Tune.TURN_PASSED: after.turn != before.turn,
        Tune.LIFE_CHANGED: [seat.life for seat in after.seats] != [seat.life for seat in before.seats],
    }
    return next((tune for tune, has_changed in changes.items() if has_changed), None)


class PanelSide:
    """The buttons, key, lamps and buzzer of a panel. ``is_identified``: a judge is looking for it."""

    def __init__(self, panel: Panel, lock: TableLock, parts: Parts) -> None:
        self.key_on = False
        self.is_identified = False
        self._parts = parts
        self._panel = panel
        self._lock = lock

    def command_for(self, event: PanelEvent, game: GameState | None, now_ms: int) -> GameCommand | None:
        """Return the game command for a panel event, or None."""
        match event:
            case ButtonPressed():
                command = command_of(event, game)
                self._lock.on_touch(now_ms)
                is_shut = command is not None and self._lock.refuses(command)
                if self._parts.consume_input(event, now_ms) or command is None or is_shut:
                    return None
                self._panel.play(Tune.CLICK)
                return command
            case SwitchMoved():
                self._parts.consume_input(event, now_ms)
                self.key_on = event.on if event.part == KEY else self.key_on
            case PartFailed() | PartRecovered() | ReadingsReported():
                self._parts.on_part_event(event)
            case _:
                assert_never(event)
        return None

    def play(self, tune: Tune | None) -> None:
        if tune is not None:
            self._panel.play(tune)

    def sound(self, before: GameState | None, game: GameState | None, *, is_calm: bool) -> None:
        self.play(tune_of(before, game, is_calm=is_calm))

    def light(
        self,
        game: GameState | None,
        edition: Edition | None,
        link: LinkPhase,
        time: RoundTime | None,
        *,
        is_asked: bool,
    ) -> None:
        """Set the lamps for the game, unless a self-test uses them."""
        if not self._parts.is_tested:
            says = lamp_of(game, link, time, is_asked=is_asked)
            self._panel.show(Lamp.IDENTIFY if self.is_identified else says)
            self._panel.glow(glows_of(game, edition))
