"""Whole days of simulated rounds in virtual time, by the rules and the players' habits.

The durations are assumptions: turns of simulated players (``kiosk.rehearsal.memory.Habits``), slower
and faster halls and tables, waits, and pauses. ``World`` defines them all.
"""

import math
import random
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from core.editions.edition import Edition
from core.editions.game_rules import CharacterMethod
from core.editions.loader import rules_of
from core.game.clock import EndByTimeLimit
from core.game.decide import GameCommand, decide
from core.game.events import evolve
from core.game.play.auction import RevealCharacters
from core.game.play.bidding import Nominate, Pass, TakeCharacter
from core.game.setup import BeginGame, CheckIn, ChooseCharacter, DealRoles, SeatTable
from core.game.state.game import GameState, Phase, SeatedPlayer, Stake
from core.rule_set import OptionKey, RecordMode, RuleSet
from core.terms import Dollars, GameId, PlayerId, RoundNo, SeatNo, TableNo, TournamentId
from core.tournament.progress import Pauses, TimedState, merge_pauses
from tests.forgetful.true_game import play_true_game

ROUNDS_A_DAY: Final = 4
_REBEL: Final = RuleSet("official-2003", (OptionKey.REBEL,))
HALLS: Final[tuple[tuple[RuleSet, tuple[int, ...]], ...]] = (
    (RuleSet("championship-2022"), (5, 6, 7)),
    (RuleSet("championship-2010"), (5, 6, 7)),
    (RuleSet("official-2003"), (4, 5, 6, 7, 8)),
    (RuleSet("simplified-2003"), (4, 5, 6, 7, 8)),
    (_REBEL, (9, 10)),
)
"""The editions, with the sizes of tables that are simulated."""
_MONEY: Final = Dollars(5000)


class World(msgspec.Struct, frozen=True):
    """The assumptions about halls and tables. Durations are in minutes.

    slower: factor by which all halls are slower than simulated players.
    halls_vary, tables_vary: standard deviation of the logarithm of their durations.
    setup_min: time from the deal to the first turn, to which an auction adds ``auction_min``.
    wait_every_min, wait_min: mean interval and duration of waits that nobody enters.
    paused, table_paused: shares of rounds and tables whose clock is paused, for ``pause_min``.
    light, paper: shares of rounds that record little, and of tables that record nothing.
    slow_table: factor by which one table of each round is slower.
    limit_min: time limit, or None.
    """

    slower: float = 1.0
    halls_vary: float = 0.2
    tables_vary: float = 0.08
    setup_min: tuple[float, float] = (2.0, 6.0)
    auction_min: tuple[float, float] = (4.0, 10.0)
    wait_every_min: float = 40.0
    wait_min: float = 3.0
    paused: float = 0.25
    table_paused: float = 0.1
    pause_min: tuple[float, float] = (3.0, 15.0)
    light: float = 0.25
    paper: float = 0.05
    slow_table: float = 1.0
    limit_min: int | None = None


class RehearsedTable(msgspec.Struct, frozen=True):
    """A table of a round. Its states and pauses are dated in minutes since the start of the round."""

    table: TableNo
    players: int
    is_on_paper: bool
    log: tuple[TimedState, ...]
    pauses: Pauses

    @property
    def end(self) -> float:
        return self.pauses.with_pauses(self.log[-1].minute)


class RehearsedRound(msgspec.Struct, frozen=True):
    """A round with its rules, and the limit of its clock, which starts with it."""

    rules: RuleSet
    tables: tuple[RehearsedTable, ...]
    limit_min: int | None

    @property
    def end(self) -> float:
        return max(table.end for table in self.tables)


def play_day(seed: int, world: World) -> tuple[RehearsedRound, ...]:
    """Play one day's rounds in one hall, which are always the same for the same seed and world."""
    chance = random.Random(f"day {seed}")
    rules, sizes = chance.choice(HALLS)
    rules = msgspec.structs.replace(
        rules, mode=RecordMode.LIGHT if chance.random() < world.light else RecordMode.FULL
    )
    usual = chance.choice(sizes)
    near = [size for size in sizes if abs(size - usual) <= 1]
    hall = world.slower * math.exp(chance.gauss(0, world.halls_vary))
    count = chance.randint(2, 12)
    return tuple(
        _play_round(f"{seed}-{number}", rules, [chance.choice(near) for _ in range(count)], hall, world)
        for number in range(ROUNDS_A_DAY)
    )


def _play_round(seed: str, rules: RuleSet, sizes: Sequence[int], hall: float, world: World) -> RehearsedRound:
    chance = random.Random(f"round {seed}")
    edition = rules_of(rules)
    shared = _pauses(chance, world.paused, world)
    slow = chance.randrange(len(sizes))
    tables = []
    for place, players in enumerate(sizes):
        tempo = (
            hall * math.exp(chance.gauss(0, world.tables_vary)) * (world.slow_table if place == slow else 1)
        )
        log = tuple(_play_table(f"{seed}-{place}", rules, players, tempo, world))
        tables.append(
            RehearsedTable(
                table=TableNo(place + 1),
                players=players,
                is_on_paper=chance.random() < world.paper,
                log=log if world.limit_min is None else _cut(log, world.limit_min, edition),
                pauses=merge_pauses((*shared, *_pauses(chance, world.table_paused, world))),
            )
        )
    return RehearsedRound(rules, tuple(tables), world.limit_min)


def _play_table(seed: str, rules: RuleSet, players: int, tempo: float, world: World) -> Iterator[TimedState]:
    """Yield the states of a game, with the minutes of play since the start of the round."""
    chance, edition = random.Random(f"table {seed}"), rules_of(rules)
    minute = tempo * chance.uniform(0, 1.5)
    dealt, begun = _opening(chance, rules, edition, players)
    yield TimedState(minute, dealt)
    minute += tempo * chance.uniform(*world.setup_min)
    if edition.characters.method is CharacterMethod.AUCTION:
        minute += tempo * chance.uniform(*world.auction_min)
    yield TimedState(minute, begun)
    truth = play_true_game(chance.getrandbits(60), begun, edition)
    next_wait = minute + chance.expovariate(1 / world.wait_every_min)
    for happening in truth.happenings:
        minute += tempo * happening.after_s / 60
        if minute > next_wait:
            minute += chance.expovariate(1 / world.wait_min)
            next_wait = minute + chance.expovariate(1 / world.wait_every_min)
        yield TimedState(minute, msgspec.structs.replace(happening.after, mode=rules.mode))


def _opening(
    chance: random.Random, rules: RuleSet, edition: Edition, players: int
) -> tuple[GameState, GameState]:
    """Return the state of a game after the deal, and at the first turn."""
    seats = [SeatNo(seat) for seat in range(1, players + 1)]
    stake = Stake(_MONEY) if edition.characters.method is CharacterMethod.AUCTION else None
    state = _do(
        None,
        edition,
        SeatTable(
            GameId("rehearsal"),
            TournamentId("rehearsal"),
            "Rehearsal",
            rules,
            RoundNo(1),
            TableNo(1),
            tuple(SeatedPlayer(PlayerId(f"p{seat}"), f"Player {seat}", stake) for seat in seats),
        ),
        *(CheckIn(seat) for seat in seats),
        DealRoles(),
    )
    deck = chance.sample(edition.characters.deck, players)
    if state.phase is not Phase.AUCTION:
        chosen = (ChooseCharacter(seat, character) for seat, character in zip(seats, deck, strict=True))
        return state, _do(state, edition, *chosen, BeginGame())
    return state, _auction(_do(state, edition, RevealCharacters(tuple(deck))), edition)


def _auction(state: GameState, edition: Edition) -> GameState:
    """Sell each character at the first bid, and begin the game."""
    while state.phase is Phase.AUCTION and state.auction is not None:
        auction = state.auction
        if auction.hand is not None and auction.hand.word is not None:
            state = _do(state, edition, Pass(auction.hand.word))
        elif auction.nominator is not None:
            state = _do(state, edition, Nominate(auction.nominator, auction.free[0], Dollars(100)))
        else:
            assert auction.taker is not None  # otherwise the auction is over
            state = _do(state, edition, TakeCharacter(auction.taker, auction.free[0]))
    return _do(state, edition, BeginGame())


def _do(state: GameState | None, edition: Edition, *commands: GameCommand) -> GameState:
    for command in commands:
        for event in decide(state, command, edition):
            state = evolve(state, event)
    assert state is not None  # the first command seats the table
    return state


def _cut(log: tuple[TimedState, ...], limit_min: float, edition: Edition) -> tuple[TimedState, ...]:
    """Return a game as ended by the judge at the time limit, unless it ended earlier."""
    if log[-1].minute <= limit_min:
        return log
    kept = tuple(one for one in log if one.minute < limit_min)
    ended = _do(kept[-1].state, edition, EndByTimeLimit())
    return (*kept, TimedState(limit_min, ended))


def _pauses(chance: random.Random, share: float, world: World) -> tuple[tuple[float, float], ...]:
    if chance.random() >= share:
        return ()
    begin = chance.uniform(5, 40)
    return ((begin, begin + chance.uniform(*world.pause_min)),)
