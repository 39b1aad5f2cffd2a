"""The hands of imperfect people at the real app: they press twice, and step back from what they opened."""

import random
from typing import Final

import msgspec

from core.terms import SeatNo
from tests.kiosk.rig.virtual_table import VirtualTable

_TWICE_MS: Final = (80, 900)
MOST_TOUCHES: Final = 60
"""Touches that one happening may need at most; more is a fault of the simulation."""
_OF_THE_GAME: Final = {
    "play", "last-life", "revolution", "still-in-play", "whose-turn", "new-sheriff", "ending",
}  # fmt: skip
_WAYS_BACK: Final = ("unlock", "dismiss", "back", "begin-game")


class Faults(msgspec.Struct, frozen=True):
    """The imperfections of a table: the highest share per person, 0 to 1.

    end_turn, hit, reshuffle: forgotten. twice: pressed twice. killer: named wrong. notices: when asked.
    second_press: two people enter one reshuffle, the second one later. wrong_out: another player is taken
    out, and the table steps back. ghost: something wet touches the glass anywhere, before a happening;
    sees: somebody sees what that has changed. looks: at the name on the glass before ending a turn.
    catches_up: enters what is open, each time that something is entered.
    """

    end_turn: float = 0.5
    hit: float = 0.3
    reshuffle: float = 0.3
    twice: float = 0.05
    killer: float = 0.05
    second_press: float = 0.1
    wrong_out: float = 0.08
    ghost: float = 0.02
    sees: float = 0.5
    notices: float = 0.95
    looks: float = 0.5
    catches_up: float = 0.3


CAREFUL: Final = Faults(
    end_turn=0, hit=0, reshuffle=0, twice=0, killer=0, second_press=0, wrong_out=0, ghost=0,
    notices=1, looks=1, catches_up=1,
)  # fmt: skip
FORGETFUL: Final = Faults()


class Asked(msgspec.Struct):
    """The questions of one game. in_vain: nothing had been forgotten.

    wrongly: answers about one card that were wrong by a lapse. about_turn, about_deck: the true turns in
    which somebody was asked.
    """

    in_vain: int = 0
    questions: int = 0
    wrongly: int = 0
    about_turn: list[int] = []
    about_deck: list[int] = []


class CallsJudge(Exception):
    """Raised when the truth cannot be entered any more after a mistake; the table then calls the judge."""


class Hands:
    """The hands of a table's people, and all that they touch."""

    def __init__(self, table: VirtualTable, faults: Faults, chance: random.Random) -> None:
        self._table, self._faults, self._chance = table, faults, chance
        self.touches = 0

    def touch(self, *names: str) -> None:
        """Touch targets one after the other; pages that somebody else has opened are closed before."""
        for name in names:
            if not self._table.offers(name):
                self.close_pages()
            if not self._table.offers(name):
                raise CallsJudge(f"{name} is not offered: {self._table.scene()} {self._table.says()}")
            self._touch_here(name)

    def touch_if(self, name: str) -> bool:
        """Touch a target if it is there; return whether it was."""
        if not self._table.offers(name):
            return False
        self._touch_here(name)
        return True

    def close_pages(self) -> None:
        """Close what does not belong to the game, and begin it again if somebody has taken that back."""
        for _ in range(MOST_TOUCHES):
            if self._table.scene() in _OF_THE_GAME:
                return
            way = next((name for name in _WAYS_BACK if self._table.offers(name)), None)
            if way is None:
                return
            self._touch_here(way)

    def first(self, *names: str) -> str:
        offered = next((name for name in names if self._table.offers(name)), None)
        if offered is None:
            raise CallsJudge(f"none of {names} is offered: {self._table.scene()} {self._table.says()}")
        return offered

    def like(self, prefix: str = "", suffix: str = "") -> tuple[str, ...]:
        names = (t.id for t in self._table.screen.targets() if t.enabled)
        return tuple(name for name in names if name.startswith(prefix) and name.endswith(suffix))

    def touch_anywhere(self) -> None:
        """Let something wet touch the glass. What it opens is closed; what it changes is seen, or is not."""
        table, glass = self._table, self._table.rigging.glass
        before = table.game
        table.touch_at(self._chance.randrange(glass.width), self._chance.randrange(glass.height))
        has_stepped = table.game is not before
        if table.scene() not in {"ending", "play"}:
            self.close_pages()
        if has_stepped and self._chance.random() < self._faults.sees and not self.touch_if("redo"):
            self.touch_if("undo")

    def take_out_another(self, but: SeatNo) -> None:
        """Take a wrong player out, as far as the glass goes along, see it, and step back."""
        table = self._table
        others = [s.seat for s in table.game.seats if s.in_play and s.seat != but]
        ways = [name for seat in others for name in (f"seat-{seat}-out", f"seat-{seat}-menu")]
        way = next((name for name in self._chance.sample(ways, len(ways)) if table.offers(name)), None)
        if way is None or table.scene() != "play":
            return
        fallen = len(table.game.eliminations)
        self.touch(way)
        self.touch_if("eliminated")
        for prefix in ("by-seat-", "same-turn", "role-", "other-card"):
            if table.scene() == "eliminate" and (matching := self.like(prefix)):
                self._touch_here(self._chance.choice(matching))
        for _ in range(MOST_TOUCHES):
            if len(table.game.eliminations) <= fallen:
                break
            if not self.touch_if("undo"):
                self._touch_here(self.first("back", "dismiss"))
        self.close_pages()

    def _touch_here(self, name: str) -> None:
        self.touches += 1
        self._table.touch(name, confirms=False)
        if self._chance.random() < self._faults.twice:
            self._press_again()
        self.after_touch()

    def after_touch(self) -> None:
        """Answer what a touch has brought up."""

    def _press_again(self) -> None:
        """Touch the same place once more, as impatient people do."""
        self.touches += 1
        self._table.after(self._chance.randint(*_TWICE_MS))
        self._table.touch_again()
        if self._table.scene() == "rule":
            self._table.touch("back")
