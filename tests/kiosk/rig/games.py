"""Orders to a virtual table, and simulated players who bring it to a given state."""

from collections.abc import Callable, Sequence

import pytest

from core.game.orders import AssignTable, SeatGame
from core.game.setup import SeatTable
from core.game.state.game import GameState, Phase, SeatedPlayer, Stake
from core.rule_set import RuleSet
from core.terms import GameId, MatchKind, PlayerId, RoundNo, TableNo, TournamentId
from kiosk.rehearsal.brain import Brain
from kiosk.ui.touch_recogniser import FRESH_MS
from tests.kiosk.rig.virtual_table import CHEAP_PIN, PIN, VirtualTable
from tests.scenarios.moments import NAMES

CHAMPIONSHIP = RuleSet("championship-2022")
PATIENCE = 4000
TABLE = TableNo(3)


def seat_game(
    game: str = "g1",
    rules: RuleSet = CHAMPIONSHIP,
    *,
    players: int = 5,
    stakes: Sequence[Stake] = (),
    match: MatchKind = MatchKind.GAME,
    time_limit_min: int | None = None,
) -> SeatGame:
    """Return an order to seat a game. stakes: what the players bring to an auction."""
    brought = (*stakes, *(None for _ in range(len(stakes), players)))
    seats = tuple(SeatedPlayer(PlayerId(f"p{n + 1}"), NAMES[n], brought[n]) for n in range(players))
    seating = SeatTable(GameId(game), TournamentId("t"), "Open", rules, RoundNo(2), TABLE, seats, match=match)
    return SeatGame(seating, time_limit_min)


def seated(table: VirtualTable, game: SeatGame | None = None, *, seed: int = 1) -> None:
    table.order(AssignTable(TABLE, CHEAP_PIN), game or seat_game())
    play(table, Brain(seed), until=lambda game: game.phase in {Phase.PLAYING, Phase.DUEL})
    table.advance(FRESH_MS / 1000)


def play(table: VirtualTable, brain: Brain, *, until: Callable[[GameState], bool]) -> None:
    """Let simulated players touch the screen until a condition holds."""
    for _ in range(PATIENCE):
        if until(table.game):
            return
        touch = brain.next_touch(table.see())
        if touch is None:
            table.advance(1)
        else:
            table.touch(touch.target)
    pytest.fail(f"no end in sight: {table.scene()}")


def play_to_the_end(table: VirtualTable, *, seed: int = 1) -> None:
    """Play until the record sheet is confirmed by the judge's PIN."""
    play(table, Brain(seed, PIN), until=lambda game: game.phase is Phase.CONFIRMED)
