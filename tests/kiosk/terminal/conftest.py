"""A table of five, as seated by the station."""

from collections.abc import Callable

import msgspec
import pytest

from core.game.orders import Order, SeatGame
from core.game.setup import SeatTable
from core.game.state.game import SeatedPlayer
from core.rule_set import RuleSet
from core.terms import GameId, PlayerId, RoundNo, TableNo, TournamentId


def _seat(game: str = "g1") -> SeatGame:
    seats = tuple(SeatedPlayer(PlayerId(f"p{n}"), f"Player {n}") for n in range(1, 6))
    table = SeatTable(
        GameId(game), TournamentId("t"), "Open", RuleSet("championship-2022"), RoundNo(1), TableNo(3), seats
    )
    return SeatGame(table, 90)


@pytest.fixture
def seat() -> Callable[..., SeatGame]:
    return _seat


@pytest.fixture
def wired() -> Callable[[Order], bytes]:
    return msgspec.msgpack.encode
