"""A game of rehearsal players on the rules alone: no screen, no wire, no clock but theirs."""

import random
from typing import Final

import msgspec

from saloon.base.errors import Refused
from saloon.core.editions.edition import Edition
from saloon.core.game import commands as c
from saloon.core.game.decide import decide, why_not
from saloon.core.game.events import Cause, Ending, GameStep, Rescue, SeatedPlayer
from saloon.core.game.setup.characters import Character
from saloon.core.game.setup.roles import Role
from saloon.core.game.state import GameState, HighNoon, Phase
from saloon.core.game.timeline import Timeline, extend, undoable
from saloon.core.rule_set import RuleSet
from saloon.core.terms import GameId, PlayerId, RoundNo, SeatNo, TableNo, TournamentId
from saloon.kiosk.rehearsal.brain import Brain
from saloon.kiosk.rehearsal.seen import Seen, SeenTarget, Touch

_GAME: Final = GameId("likeness")
_TOUCH_S: Final = 0.3
_HOLD_S: Final = 1.0
_WAIT_S: Final = 1.0
_MOST_TOUCHES: Final = 5_000
_RESCUES: Final = {"rescue-beer": Rescue.BEER, "rescue-sid-ketchum": Rescue.SID_KETCHUM}


class PlayedGame(msgspec.Struct, frozen=True):
    """The outcome of a game. seconds: at the players' own speed. lost: life points.

    turns: that were begun. undone: steps that were taken back.
    """

    seats: int
    seconds: float
    turns: int
    reshuffles: int
    high_noon: bool
    eliminations: int
    lost: int
    undone: int
    ending: Ending | None


class PlainTable:
    """A table whose screen is only what could be touched on it."""

    def __init__(self, seats: int, rules: Edition, chance: random.Random) -> None:
        self._rules = rules
        self._timeline: Timeline | None = None
        self._asked: c.Eliminate | None = None
        self._asks_role = False
        self.lost = self.undone = 0
        players = tuple(SeatedPlayer(PlayerId(f"p{n}"), f"Player {n}") for n in range(1, seats + 1))
        rule_set = RuleSet(rules.key, rules.chosen)
        self._do(c.SeatTable(_GAME, TournamentId("likeness"), "", rule_set, RoundNo(1), TableNo(1), players))
        everyone = [SeatNo(n) for n in range(1, seats + 1)]
        for seat in everyone:
            self._do(c.CheckIn(seat))
        self._do(c.DealRoles())
        cards = [who for who in Character if self._may(c.ChooseCharacter(everyone[0], who))]
        for seat, who in zip(everyone, chance.sample(cards, seats), strict=True):
            self._do(c.ChooseCharacter(seat, who))
        self._do(c.BeginGame())

    @property
    def state(self) -> GameState:
        """The game now."""
        assert self._timeline is not None  # seated at birth
        return self._timeline.state

    def see(self) -> Seen:
        """Return the targets that could be touched now."""
        if not self.state.pending:
            names = ["end-turn", "reshuffle", *(["undo"] if undoable(self._timeline) else [])]
            for panel in self.state.seats:
                names += [f"seat-{panel.seat}-minus"] if self._may(c.LoseLife(panel.seat)) else []
                names += [f"seat-{panel.seat}-plus"] if self._may(c.RegainLife(panel.seat)) else []
            return _build_seen("play", names)
        seat = self.state.pending[0]
        if self._asked is None or self._asked.seat != seat:
            saved = (name for name, how in _RESCUES.items() if self._may(c.SaveLastLife(seat, how)))
            return _build_seen("last-life", [*saved, "eliminated", "undo"])
        return _build_seen("eliminate", self._questions(self._asked))

    def touch(self, touch: Touch) -> None:
        """Carry out a touch as a screen would."""
        name, pending = touch.target, self.state.pending
        if name == "eliminated":
            cause = Cause.HIGH_NOON if self.state.high_noon_question else Cause.PLAYER
            by = None if cause is Cause.HIGH_NOON else SeatNo(0)
            self._asked, self._asks_role = c.Eliminate(pending[0], by, Role.SHERIFF, cause), True
        elif name == "by-dynamite" and self._asked is not None:
            self._asked = msgspec.structs.replace(self._asked, by=None, cause=Cause.DYNAMITE)
        elif name.startswith("by-seat-") and self._asked is not None:
            self._asked = msgspec.structs.replace(self._asked, by=SeatNo(int(name[8:])))
        elif name.startswith("role-") and self._asked is not None:
            self._do(msgspec.structs.replace(self._asked, role=Role(name[5:])))
            self._asked = None
        else:
            self._do(self._command(name))

    def _questions(self, asked: c.Eliminate) -> list[str]:
        if asked.by == 0:
            killers = [
                f"by-seat-{s.seat}" for s in self.state.seats
                if any(self._may(c.Eliminate(asked.seat, s.seat, role, Cause.PLAYER)) for role in Role)
            ]  # fmt: skip
            return [*killers, "by-dynamite"]
        return [f"role-{r.value}" for r in Role if self._may(msgspec.structs.replace(asked, role=r))]

    def _command(self, name: str) -> c.GameCommand:
        match name.split("-"):
            case ["end", "turn"]:
                return c.EndTurn()
            case ["reshuffle"]:
                return c.Reshuffle()
            case ["undo"]:
                self.undone += 1
                return c.Undo()
            case ["seat", seat, "minus"]:
                self.lost += 1
                return c.LoseLife(SeatNo(int(seat)))
            case ["seat", seat, "plus"]:
                return c.RegainLife(SeatNo(int(seat)))
            case ["rescue", *_]:
                return c.SaveLastLife(self.state.pending[0], _RESCUES[name])
            case _:
                raise ValueError(f"nobody touches {name} here")

    def _may(self, command: c.GameCommand) -> bool:
        return why_not(self.state, command, self._rules) is None

    def _do(self, command: c.GameCommand) -> None:
        state = None if self._timeline is None else self._timeline.state
        events = decide(state, command, self._rules, may_undo=undoable(self._timeline))
        self._timeline = extend(self._timeline, GameStep(_GAME, events))


def play_game(seats: int, rules: Edition, seed: int) -> PlayedGame:
    """Play a whole game; the same seed plays the same game. Raises Refused if players act senselessly."""
    table, brain = PlainTable(seats, rules, random.Random(f"cards {seed}")), Brain(seed)  # noqa: S311
    seconds = 0.0
    for _ in range(_MOST_TOUCHES):
        if table.state.phase is not Phase.PLAYING:
            break
        touch = brain.next_touch(table.see())
        if touch is None:
            seconds += _WAIT_S
            continue
        seconds += touch.after_s + _TOUCH_S
        try:
            table.touch(touch)
        except Refused:
            seconds += _HOLD_S
    state = table.state
    return PlayedGame(
        seats=seats,
        seconds=seconds,
        turns=state.turns,
        reshuffles=state.reshuffles,
        high_noon=state.high_noon is HighNoon.ON,
        eliminations=len(state.eliminations),
        lost=table.lost,
        undone=table.undone,
        ending=state.ending,
    )


def _build_seen(scene: str, names: list[str]) -> Seen:
    return Seen(scene, tuple(SeenTarget(name) for name in names))
