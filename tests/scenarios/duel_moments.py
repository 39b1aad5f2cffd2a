"""A duel at each of its scenes, led there by the rules: for pictures and for tests."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from core.characters import Character
from core.editions.edition import Edition
from core.editions.loader import edition
from core.game.decide import GameCommand, decide
from core.game.duel.fight import CarryWounds, ChooseLine, EnterCharacter, RuleDuel, WoundCharacter
from core.game.duel.opening import DrawStarter, PickCharacter, ShowLine, TakeAdvantage, TurnUpCharacters
from core.game.ending.sheet import AgreeEnding
from core.game.events import GameStep
from core.game.play.turns import EndTurn
from core.game.setup import CheckIn, SeatTable
from core.game.state.decisions import Undo
from core.game.state.duel import Advantage, DuelState
from core.game.state.game import GameState, SeatedPlayer
from core.game.timeline import Timeline, answers_on_ending, extend, undoable, undoable_freely
from core.rule_set import RuleSet
from core.terms import GameId, MatchKind, PlayerId, RoundNo, SeatNo, TableNo, TournamentId
from kiosk.i18n import Words
from kiosk.terminal.story import Storyteller
from kiosk.view.table_view import Delivery, RoundTime, TableView
from sync.terminal.agent_contract import LinkPhase
from tests.scenarios.moments import NAMES, Moment

LONG, SHORT = MatchKind.LONG_DUEL, MatchKind.SHORT_DUEL
RULES: Final[Edition] = edition("championship-2010")
_ONE, _TWO = SeatNo(1), SeatNo(2)
_DECK: Final = tuple(Character)
_GAME: Final = GameId("rehearsal-duel")


class DuelTable:
    def __init__(self, kind: MatchKind) -> None:
        self._timeline: Timeline | None = None
        players = tuple(SeatedPlayer(PlayerId(f"p{n}"), NAMES[n]) for n in (2, 1))
        tournament, rules = TournamentId("rehearsal"), RuleSet(RULES.key)
        table = TableNo(4)
        self.do(SeatTable(_GAME, tournament, "Rehearsal", rules, RoundNo(4), table, players, kind))

    def do(self, *commands: GameCommand) -> "DuelTable":
        """Ask for commands, one after the other. Raises Refused."""
        for command in commands:
            state = None if self._timeline is None else self._timeline.state
            events = decide(state, command, RULES, may_undo=undoable(self._timeline))
            self._timeline = extend(self._timeline, GameStep(_GAME, events))
        return self

    @property
    def state(self) -> GameState:
        assert self._timeline is not None  # seated at birth
        return self._timeline.state

    @property
    def duel(self) -> DuelState:
        assert self.state.duel is not None  # this table seats nothing else
        return self.state.duel

    def view(self) -> TableView:
        return TableView(
            table=TableNo(4),
            game=self.state,
            edition=RULES,
            delivery=Delivery(entered=41, saved=41, received=41, link=LinkPhase.CONNECTED),
            now_ms=1000,
            story=Storyteller().story(self._timeline, Words("en")),
            timeline=self._timeline,
            may_undo=undoable(self._timeline),
            may_undo_freely=undoable_freely(self._timeline),
            round_time=RoundTime(34 * 60, 90 * 60),
            answers_on_ending=answers_on_ending(self._timeline),
        )

    def here(self) -> "DuelTable":
        return self.do(CheckIn(_ONE), CheckIn(_TWO))

    def choosing(self) -> "DuelTable":
        """Let the better placed player choose."""
        return self.here().do(TurnUpCharacters(_DECK[3:13]))

    def picked(self, picks: int) -> "DuelTable":
        self.choosing().do(TakeAdvantage(Advantage.PICK_FIRST))
        for _ in range(picks):
            assert self.duel.picker is not None
            self.do(PickCharacter(self.duel.picker, self.duel.free[0]))
        return self

    def long(self) -> "DuelTable":
        """Play some turns, with wounds, and one reserve in play."""
        self.picked(10)
        first, second = (side.picks for side in self.duel.sides)
        self.do(ShowLine(_ONE, first[2], first[4]), ShowLine(_TWO, second[0], second[4]))
        self.do(WoundCharacter(_ONE, first[4], 2), WoundCharacter(_TWO, second[0], 1))
        self.fall(_TWO).enter(_TWO)
        self.do(EndTurn(), EndTurn())
        held = self.duel.side(_TWO).in_play
        return self.do(ChooseLine(_TWO, held[0].character, jailed=held[1].character))

    def short(self) -> "DuelTable":
        """Three to two, with wounds."""
        self.here().enter(_ONE).enter(_TWO).do(DrawStarter(_TWO))
        for seat in (_ONE, _TWO, _TWO, _ONE, _TWO):
            self.fall(seat).enter(seat)
        return self.wound(_ONE, 2).wound(_TWO, 1)

    def wound(self, seat: SeatNo, points: int) -> "DuelTable":
        front = self.duel.side(seat).front
        assert front is not None
        return self.do(WoundCharacter(seat, front.character, points))

    def fall(self, seat: SeatNo) -> "DuelTable":
        front = self.duel.side(seat).front
        assert front is not None
        return self.wound(seat, front.life)

    def enter(self, seat: SeatNo) -> "DuelTable":
        while self.duel.entering(seat):
            self.do(EnterCharacter(seat, self.duel.may_enter(seat)[0]))
        return self


def duel_moments() -> Iterator[Moment]:
    """Both kinds of duel at every scene there is."""
    yield from _long()
    yield from _short()


def _long() -> Iterator[Moment]:
    up = DuelTable(LONG).here().view()
    yield Moment("duel-seating", "seating", DuelTable(LONG).do(CheckIn(_ONE)).view())
    yield Moment("duel-face-up", "duel-setup", up)
    some = tuple(f"character-{name}" for name in ("el-gringo", "kit-carlson", "vulture-sam"))
    yield Moment("duel-turn-up", "duel-turn-up", up, ("turn-up", *some))
    yield Moment("duel-choice", "duel-setup", DuelTable(LONG).choosing().view())
    yield Moment("duel-draft", "duel-draft", DuelTable(LONG).picked(3).view())
    lines = DuelTable(LONG).picked(10)
    yield Moment("duel-lines", "duel-setup", _one_shown(lines).view())
    picked = lines.duel.side(_TWO).picks[1].value.lower().replace(" ", "-")
    touches = ("seat-2-line", f"character-{picked}")
    yield Moment("duel-show-line", "duel-show-line", lines.view(), touches)
    play = DuelTable(LONG).long()
    yield Moment("duel-long-jail", "duel", play.view())
    turn = DuelTable(LONG).long().do(EndTurn())
    yield Moment("duel-long", "duel", turn.view())
    yield Moment("duel-line", "duel-line", turn.view(), ("line",))
    yield Moment("duel-undone", "duel", DuelTable(LONG).long().do(EndTurn(), Undo(1)).view())
    yield Moment("duel-leave", "player-menu", play.view(), ("seat-2-menu",))
    keyed = replace(play.view(), judge_present=True)
    yield Moment("duel-judge", "judge", keyed, ("menu", "judge-menu"))
    yield Moment("duel-ruling", "rule-duel", keyed, ("menu", "judge-menu", "rule-duel"))
    yield Moment("duel-long-enter", "duel", DuelTable(LONG).long().fall(_ONE).view())
    both = DuelTable(LONG).long().fall(_TWO).fall(_TWO)
    yield Moment("duel-long-enter-two", "duel", both.view())
    last = DuelTable(LONG).long()
    for _ in range(3):
        last.fall(_TWO).enter(_TWO)
    yield Moment("duel-long-last", "duel", last.view())
    yield Moment("duel-ending", "ending", last.fall(_TWO).view())
    last.do(AgreeEnding(_ONE))
    yield Moment("duel-ending-one-agrees", "ending", last.view())
    yield Moment("duel-long-sheet", "sheet", last.do(AgreeEnding(_TWO)).view())


def _one_shown(table: DuelTable) -> DuelTable:
    picks = table.duel.side(_ONE).picks
    return table.do(ShowLine(_ONE, picks[0], picks[1]))


def _short() -> Iterator[Moment]:
    opening = DuelTable(SHORT).here().enter(_ONE).do(DrawStarter(_ONE))
    yield Moment("duel-opening", "duel-setup", opening.view())
    play = DuelTable(SHORT).short()
    yield Moment("duel-short", "duel", play.view())
    carried = DuelTable(SHORT).short().fall(_ONE).do(CarryWounds(_ONE, 2))
    yield Moment("duel-short-enter", "duel", carried.view())
    yield Moment("duel-enter", "duel-enter", carried.view(), ("seat-1-enter",))
    ruled = DuelTable(SHORT).short().do(RuleDuel(_TWO, "more life points left"))
    yield Moment("duel-short-sheet", "sheet", ruled.view())
