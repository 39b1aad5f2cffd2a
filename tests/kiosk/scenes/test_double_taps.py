"""Tap every button of every scene twice, as impatient people do: the second tap may do little."""

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
from saloon.kiosk.view.table_view import TableView

MAY_REPEAT = re.compile(
    r"-(minus|plus|carry|less|more|more-\d+)$"  # life points and bids, counted as often as they are tapped
    r"|^(key|pin)-"  # typing
    r"|^part-|^seen-|^broken$|^works$|^self-test$|^next-colour$"  # a self-test changes no game
    r"|^back$|^moment-|^story-|^turn-page$|^theme-|^layout-"  # looking around
    r"|^jailed-character-|^character-"  # marks that one tap sets and another takes back, before they count
    r"|-starts$|-carry$"  # the same answer to the same question
)
"""Targets that a second tap may press again, as it is meant or harms nobody."""


class Tapping:
    """A screen at a moment, whose game carries out what fingers ask for."""

    def __init__(self, moment: Moment) -> None:
        self.screen: TableScreen = laid_out(GLASSES["800x480"], moment)
        self.view: TableView = self.screen._stage.table
        self.guards = RepeatGuard()
        self.now_ms = 1_000_000

    def tap(self, x: int, y: int) -> tuple[bool, str]:
        """Return whether a tap did anything, and what it asked of the game."""
        before = self._picture()
        asked: list[Intent] = [*self.screen.pointer(Pointer(1, PointerPhase.DOWN, x, y, self.now_ms))]
        self.now_ms += 50
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
        if self.guards.refuses(intent.command, self.now_ms):
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
def test_a_second_tap_does_what_it_may_do_or_nothing(moment: Moment) -> None:
    wrong = []
    names = [t.id for t in Tapping(moment).screen.targets() if t.enabled and not t.hold_ms]
    for name in names:
        for gap_ms in (100, 230, 500):
            table = Tapping(moment)
            rect = next(t.rect for t in table.screen.targets() if t.id == name)
            x, y = rect[0] + rect[2] // 2, rect[1] + rect[3] // 2
            table.tap(x, y)
            table.now_ms += gap_ms - 50
            acted, asked = table.tap(x, y)
            if acted and MAY_REPEAT.search(name) is None:
                wrong.append(f"{name} after {gap_ms} ms: {asked or table.screen.scene_name()}")
    assert wrong == []
