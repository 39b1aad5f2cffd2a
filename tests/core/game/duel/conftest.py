"""A scripted table with a duel."""

from importlib.resources import files

import msgspec
import pytest

from core.characters import Character
from core.editions.edition import Edition
from core.editions.loader import edition
from core.editions.tables import FinalsRule
from core.game.duel.fight import EnterCharacter, WoundCharacter
from core.game.duel.opening import DrawStarter, PickCharacter, ShowLine, TakeAdvantage, TurnUpCharacters
from core.game.setup import CheckIn
from core.game.state.duel import Advantage, DuelState, Fighter
from core.rule_set import RuleSet
from core.terms import MatchKind, SeatNo
from tests.core.game.conftest import ScriptedTable, seating

_TEXT = files("core.editions").joinpath("championship-2022.toml").read_text(encoding="utf-8")
_FINALS = """
[finals]
modes = ["long-duel", "short-duel"]
prizes = [{ rounds = 1, dollars = [400, 300, 200, 100] }]
"""
WITH_FINALS = RuleSet(
    "with-finals", house_rules=_TEXT.replace('key = "championship-2022"', 'key = "with-finals"') + _FINALS
)
"""The 2022/23 rules as house rules, with finals by duels."""

LONG, SHORT = MatchKind.LONG_DUEL, MatchKind.SHORT_DUEL
ONE, TWO = SeatNo(1), SeatNo(2)
DECK = tuple(Character)
FIRST_FIVE = DECK[0:10:2]
"""Seat 1's picks of the first ten: Bart, Calamity, Jesse, Kit, Paul Regret."""
SECOND_FIVE = DECK[1:10:2]
"""Seat 2's picks: Black Jack, El Gringo, Jourdonnais, Lucky Duke, Pedro Ramirez."""


class DuelTable(ScriptedTable):
    """A table of two; seat 1 is the better placed player."""

    def duel(self) -> DuelState:
        state = self.now().duel
        assert state is not None
        return state

    def here(self, kind: MatchKind) -> "DuelTable":
        """Seated, both checked in."""
        self.ask(msgspec.structs.replace(seating(2), match=kind), CheckIn(ONE), CheckIn(TWO))
        return self

    def drafted(self) -> "DuelTable":
        """A long duel after the picks; seat 2 starts."""
        self.here(LONG)
        self.ask(TurnUpCharacters(DECK[:10]), TakeAdvantage(Advantage.PICK_FIRST))
        for first, second in zip(FIRST_FIVE, SECOND_FIVE, strict=True):
            self.ask(PickCharacter(ONE, first), PickCharacter(TWO, second))
        return self

    def long(self) -> "DuelTable":
        """A long duel at its first turn, the first two picks in play."""
        self.drafted()
        self.ask(ShowLine(ONE, *FIRST_FIVE[:2]), ShowLine(TWO, *SECOND_FIVE[:2]))
        return self

    def short(self) -> "DuelTable":
        """A short duel at its first turn, seat 1's: Bart Cassidy against Paul Regret."""
        self.here(SHORT)
        self.ask(EnterCharacter(ONE, DECK[0]), EnterCharacter(TWO, DECK[8]), DrawStarter(ONE))
        return self

    def front(self, seat: SeatNo) -> Fighter | None:
        return self.duel().side(seat).front

    def lives(self, seat: SeatNo) -> list[int]:
        """The life points of the characters in play, the front one first."""
        return [fighter.life for fighter in self.duel().side(seat).in_play]

    def names(self, seat: SeatNo) -> list[str]:
        return [fighter.character.value for fighter in self.duel().side(seat).in_play]

    def fell(self, seat: SeatNo, points: int | None = None) -> None:
        """The front character of a seat is eliminated, or hit by so many points."""
        fighter = self.front(seat)
        assert fighter is not None
        self.ask(WoundCharacter(seat, fighter.character, fighter.life if points is None else points))

    def following_enters(self, seat: SeatNo) -> Character:
        character = self.duel().may_enter(seat)[0]
        self.ask(EnterCharacter(seat, character))
        return character

    def lost(self, seat: SeatNo, times: int = 1) -> None:
        """Characters of a seat fall one by one, and the next ones enter."""
        for _ in range(times):
            self.fell(seat)
            while self.duel().entering(seat):
                self.following_enters(seat)


WITH_DUELS = msgspec.structs.replace(
    edition("championship-2022"), finals=FinalsRule(modes=(LONG, SHORT), prizes=())
)
"""The 2022/23 rules with the finals of 2010."""


@pytest.fixture
def rules() -> Edition:
    return WITH_DUELS


@pytest.fixture
def table(rules: Edition) -> DuelTable:
    return DuelTable(rules)
