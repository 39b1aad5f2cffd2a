"""``python -m tools.rehearsal_statistics``: statistics of many games by simulated players."""

import random
import statistics
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import click
import msgspec

from base.errors import Refused
from core.characters import Character
from core.editions.edition import Edition
from core.editions.loader import edition
from core.game.decide import GameCommand, decide, why_not
from core.game.events import GameStep
from core.game.play.eliminations import Eliminate
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife, RegainLife, Rescue, SaveLastLife
from core.game.setup import BeginGame, CheckIn, ChooseCharacter, DealRoles, SeatTable
from core.game.state.decisions import Undo
from core.game.state.game import Cause, GameState, HighNoon, Phase, SeatedPlayer
from core.game.timeline import Timeline, extend, undoable
from core.rule_set import RuleSet
from core.terms import Ending, GameId, PlayerId, Role, RoundNo, SeatNo, TableNo, TournamentId
from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.seen import Seen, SeenTarget, Touch

_GAME: Final = GameId("likeness")
_TOUCH_S: Final = 0.3
_HOLD_S: Final = 1.0
_WAIT_S: Final = 1.0
_MOST_TOUCHES: Final = 5_000
_RESCUES: Final = {"rescue-beer": Rescue.BEER, "rescue-sid-ketchum": Rescue.SID_KETCHUM}


class PlayedGame(msgspec.Struct, frozen=True):
    """The outcome of a game, with its duration in seconds at normal speed.

    turns: the number begun.
    lost: life points lost.
    undone: the number of steps undone.
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
    """A table that has no real screen and only offers the touch targets."""

    def __init__(self, seats: int, rules: Edition, chance: random.Random) -> None:
        self._rules = rules
        self._timeline: Timeline | None = None
        self._asked: Eliminate | None = None
        self._asks_role = False
        self.lost = self.undone = 0
        players = tuple(SeatedPlayer(PlayerId(f"p{n}"), f"Player {n}") for n in range(1, seats + 1))
        rule_set = RuleSet(rules.key, rules.chosen)
        self._do(SeatTable(_GAME, TournamentId("likeness"), "", rule_set, RoundNo(1), TableNo(1), players))
        everyone = [SeatNo(n) for n in range(1, seats + 1)]
        for seat in everyone:
            self._do(CheckIn(seat))
        self._do(DealRoles())
        cards = [who for who in Character if self._may(ChooseCharacter(everyone[0], who))]
        for seat, who in zip(everyone, chance.sample(cards, seats), strict=True):
            self._do(ChooseCharacter(seat, who))
        self._do(BeginGame())

    @property
    def state(self) -> GameState:
        assert self._timeline is not None  # seated by the constructor
        return self._timeline.state

    def see(self) -> Seen:
        """Return the targets that can be touched now."""
        if not self.state.pending:
            names = ["end-turn", "reshuffle", *(["undo"] if undoable(self._timeline) else [])]
            for panel in self.state.seats:
                names += [f"seat-{panel.seat}-minus"] if self._may(LoseLife(panel.seat)) else []
                names += [f"seat-{panel.seat}-plus"] if self._may(RegainLife(panel.seat)) else []
            return _build_seen("play", names)
        seat = self.state.pending[0]
        if self._asked is None or self._asked.seat != seat:
            saved = (name for name, how in _RESCUES.items() if self._may(SaveLastLife(seat, how)))
            return _build_seen("last-life", [*saved, "eliminated", "undo"])
        return _build_seen("eliminate", self._questions(self._asked))

    def touch(self, touch: Touch) -> None:
        """Carry out a touch as a screen would."""
        name, pending = touch.target, self.state.pending
        if name == "eliminated":
            cause = Cause.HIGH_NOON if self.state.high_noon_question else Cause.PLAYER
            by = None if cause is Cause.HIGH_NOON else SeatNo(0)
            self._asked, self._asks_role = Eliminate(pending[0], by, Role.SHERIFF, cause), True
        elif name == "by-dynamite" and self._asked is not None:
            self._asked = msgspec.structs.replace(self._asked, by=None, cause=Cause.DYNAMITE)
        elif name.startswith("by-seat-") and self._asked is not None:
            self._asked = msgspec.structs.replace(self._asked, by=SeatNo(int(name[8:])))
        elif name.startswith("role-") and self._asked is not None:
            self._do(msgspec.structs.replace(self._asked, role=Role(name[5:])))
            self._asked = None
        else:
            self._do(self._command(name))

    def _questions(self, asked: Eliminate) -> list[str]:
        if asked.by == 0:
            killers = [
                f"by-seat-{s.seat}" for s in self.state.seats
                if any(self._may(Eliminate(asked.seat, s.seat, role, Cause.PLAYER)) for role in Role)
            ]  # fmt: skip
            return [*killers, "by-dynamite"]
        return [f"role-{r.value}" for r in Role if self._may(msgspec.structs.replace(asked, role=r))]

    def _command(self, name: str) -> GameCommand:
        match name.split("-"):
            case ["end", "turn"]:
                return EndTurn()
            case ["reshuffle"]:
                return Reshuffle()
            case ["undo"]:
                self.undone += 1
                return Undo(1)
            case ["seat", seat, "minus"]:
                self.lost += 1
                return LoseLife(SeatNo(int(seat)))
            case ["seat", seat, "plus"]:
                return RegainLife(SeatNo(int(seat)))
            case ["rescue", *_]:
                return SaveLastLife(self.state.pending[0], _RESCUES[name])
            case _:
                raise ValueError(f"unexpected target: {name}")

    def _may(self, command: GameCommand) -> bool:
        return why_not(self.state, command, self._rules) is None

    def _do(self, command: GameCommand) -> None:
        state = None if self._timeline is None else self._timeline.state
        events = decide(state, command, self._rules, may_undo=undoable(self._timeline))
        self._timeline = extend(self._timeline, GameStep(_GAME, events))


def play_game(seats: int, rules: Edition, seed: int) -> PlayedGame:
    """Play a whole game, which is always the same for the same seed."""
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


SEATS: Final = (4, 5, 6, 7)
_ENDINGS: Final = (
    ("the Law", Ending.LAW_WINS),
    ("the Outlaws", Ending.OUTLAWS_WIN),
    ("the Renegade", Ending.RENEGADE_WINS),
)


def games_of(seats: int, count: int, edition_key: str, seed: int) -> tuple[PlayedGame, ...]:
    """Play several games at a table of this size, which are always the same for the same seed."""
    rules = edition(edition_key)
    return tuple(play_game(seats, rules, seed * 100_000 + number) for number in range(count))


def share(games: Sequence[PlayedGame], holds: Callable[[PlayedGame], bool]) -> float:
    """Return the share of games for which ``holds`` is true, from 0 to 1."""
    return sum(map(holds, games)) / len(games)


def tenths(games: Sequence[PlayedGame], of: Callable[[PlayedGame], float]) -> tuple[float, float, float]:
    """Return the first, fifth and ninth decile of a value over all games."""
    cuts = statistics.quantiles(map(of, games), n=10)
    return cuts[0], cuts[4], cuts[8]


def table(by_seats: dict[int, tuple[PlayedGame, ...]]) -> str:
    """Format the statistics as a Markdown table with a column for each table size."""
    rows = [["", *(f"{seats} players" for seats in by_seats)], ["---", *("---:" for _ in by_seats)]]

    def row(name: str, told: Callable[[tuple[PlayedGame, ...]], str]) -> None:
        rows.append([name, *(told(games) for games in by_seats.values())])

    def spread(of: Callable[[PlayedGame], float]) -> Callable[[tuple[PlayedGame, ...]], str]:
        return lambda games: " · ".join(f"{value:.0f}" for value in tenths(games, of))

    def per_turn(games: tuple[PlayedGame, ...]) -> str:
        return f"{sum(g.lost for g in games) / sum(g.turns for g in games):.2f}"

    row("minutes (a tenth below · median · a tenth above)", spread(lambda game: game.seconds / 60))
    row("turns", spread(lambda game: game.turns))
    row("reshuffles", spread(lambda game: game.reshuffles))
    row("eliminations", spread(lambda game: game.eliminations))
    row("life points lost in a turn", per_turn)
    row("games with High Noon", lambda games: f"{share(games, lambda g: g.high_noon):.0%}")
    row("games with a tap undone", lambda games: f"{share(games, lambda g: g.undone > 0):.0%}")
    for name, ending in _ENDINGS:
        row(f"won by {name}", partial(_share_of, ending))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def _share_of(ending: Ending, games: tuple[PlayedGame, ...]) -> str:
    return f"{share(games, lambda game: game.ending is ending):.0%}"


@click.command()
@click.option("--games", default=300, show_default=True, type=click.IntRange(min=10), help="Of each size.")
@click.option("--edition", "edition_key", default="championship-2022", show_default=True)
@click.option("--seed", default=1, show_default=True, help="The same seed plays the same games.")
def main(games: int, edition_key: str, seed: int) -> None:
    """Play games without a user interface, and print how long, bloody and undecided they were."""
    print(table({seats: games_of(seats, games, edition_key, seed) for seats in SEATS}))


if __name__ == "__main__":
    main()
