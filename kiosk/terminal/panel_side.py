"""The panel's side of a terminal: requests from its buttons, and lamps and tunes for the game."""

from typing import assert_never

from saloon.core.editions.edition import Edition
from saloon.core.game.commands import GameCommand
from saloon.core.game.state import GameState
from saloon.hardware.contract import (
    KEY,
    ButtonPressed,
    Panel,
    PanelEvent,
    PartFailed,
    PartRecovered,
    ReadingsReported,
    SwitchMoved,
    Tune,
)
from saloon.kiosk.terminal.lock import TableLock
from saloon.kiosk.terminal.panel_wiring import command_of, glows_of, lamp_of, tune_of
from saloon.kiosk.terminal.parts import Parts
from saloon.kiosk.view.round_time import RoundTime
from saloon.sync.terminal.agent_contract import LinkPhase


class PanelSide:
    """Buttons, key, lamps and buzzer between two moments. lock: what shuts the buttons, with the screen.

    key_on: whether the judge's key is turned.
    """

    def __init__(self, panel: Panel, lock: TableLock, parts: Parts) -> None:
        self.key_on = False
        self._parts = parts
        self._panel = panel
        self._lock = lock

    def command_for(self, event: PanelEvent, game: GameState | None, now_ms: int) -> GameCommand | None:
        """Return the game command for an event at the panel; None for nothing."""
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
        """Sound a tune; None for silence."""
        if tune is not None:
            self._panel.play(tune)

    def sound(self, before: GameState | None, game: GameState | None) -> None:
        """Sound what is heard when one state of the game follows another."""
        self.play(tune_of(before, game))

    def light(
        self, game: GameState | None, edition: Edition | None, link: LinkPhase, time: RoundTime | None
    ) -> None:
        """Set the lamps for the game, unless a self-test uses them.

        game: that this terminal keeps. time: of the round, None without a limit.
        """
        if not self._parts.is_tested:
            self._panel.show(lamp_of(game, link, time))
            self._panel.glow(glows_of(game, edition))
