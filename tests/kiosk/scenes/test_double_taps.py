"""Press every button of every scene twice, as impatient people do: the second press changes nothing."""

import re
from collections.abc import Iterator

import msgspec
import pytest
from tests.kiosk.scenes.conftest import GLASSES, laid_out
from tests.scenarios.every_moment import moments_anywhere, moments_at
from tests.scenarios.moments import Moment

from saloon.base.errors import Refused
from saloon.core.game.decide import decide
from saloon.core.game.events import GameStep
from saloon.core.game.timeline import extend, undoable
from saloon.kiosk.intents import AskGame, Intent
from saloon.kiosk.pointer import Pointer, PointerPhase
from saloon.kiosk.screen import TableScreen
from saloon.kiosk.terminal.guards import RepeatGuard
from saloon.kiosk.ui.touch_recogniser import DEAD_MS
from saloon.kiosk.view.table_view import TableView

MAY_REPEAT = re.compile(
    r"-(minus|plus|carry|less|more|more-\d+)$"  # life points and bids, counted as often as they are tapped
    r"|^key-|^pin-\d$"  # typing
    r"|^(part|story|moment)-(before|next|earlier|later|slower|faster)$"  # turns of a page
    r"|^(louder|quieter|works|broken)$|^seen-"  # of a self-test
)
"""Targets that a second tap from 80 ms on presses again, as it is meant."""
GAPS_MS = (50, 80, 230, 500, 1_000)
"""From press to press."""


class Tapping:
    """A screen at a moment, whose game carries out what fingers ask for."""

    def __init__(self, moment: Moment) -> None:
        self.screen: TableScreen = laid_out(GLASSES["800x480"], moment)
        self.view: TableView = self.screen._stage.table
        self.guards = RepeatGuard()
        self.now_ms = 1_000_000

    def tap(self, x: int, y: int, ms: int = 30) -> tuple[bool, str]:
        """Return whether a tap of so long did anything, and what it asked of the game."""
        before = self._picture()
        asked: list[Intent] = [*self.screen.pointer(Pointer(1, PointerPhase.DOWN, x, y, self.now_ms))]
        self.now_ms += ms
        asked += self.screen.advance(self.now_ms)
        asked += self.screen.pointer(Pointer(1, PointerPhase.UP, x, y, self.now_ms))
        done = [
            intent.command for intent in asked if isinstance(intent, AskGame) and self._carries_out(intent)
        ]
        self.screen.update(self.view)
        return bool(done) or self._picture() != before, " ".join(type(command).__name__ for command in done)

    def _picture(self) -> object:
        return self.screen.scene_name(), self.screen.targets(), self.screen.visible_text()

    def _carries_out(self, intent: AskGame) -> bool:
        is_doubtful = self.guards.is_doubtful(intent.command, self.now_ms) and not intent.is_certain
        if is_doubtful or self.guards.refuses(intent.command, self.now_ms):
            return False
        timeline, edition = self.view.timeline, self.view.edition
        assert timeline is not None
        assert edition is not None
        try:
            events = decide(timeline.state, intent.command, edition, may_undo=undoable(timeline))
        except Refused:
            return False
        self.guards.on_carried_out(intent.command, self.now_ms)
        after = extend(timeline, GameStep(timeline.state.game, events))
        self.view = msgspec.structs.replace(
            self.view, timeline=after, game=after.state, may_undo=undoable(after), now_ms=self.now_ms
        )
        return True


def every_moment() -> Iterator[Moment]:
    seen: set[str] = set()
    for moment in (*moments_at(5), *moments_anywhere()):
        if moment.picture not in seen:
            seen.add(moment.picture)
            yield moment


@pytest.mark.parametrize("moment", list(every_moment()), ids=lambda moment: moment.picture)
def test_a_second_press_changes_nothing(moment: Moment) -> None:
    wrong = []
    for target in [t for t in Tapping(moment).screen.targets() if t.enabled]:
        for gap_ms in GAPS_MS:
            table = Tapping(moment)
            left, top, width, height = next(t.rect for t in table.screen.targets() if t.id == target.id)
            x, y = left + width // 2, top + height // 2
            table.tap(x, y, max(30, target.hold_ms))
            table.now_ms += gap_ms - 30
            acted, asked = table.tap(x, y, max(30, target.hold_ms))
            if table.screen.scene_name() == "test-touch":
                continue  # it draws where the finger is
            if acted and (MAY_REPEAT.search(target.id) is None or gap_ms < DEAD_MS):
                wrong.append(f"{target.id} after {gap_ms} ms: {asked or table.screen.scene_name()}")
    assert wrong == []
