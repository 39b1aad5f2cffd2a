"""The judges' actions in a rehearsal, read from the station's database while it runs."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from core.game.orders import (
    AnswerCall,
    CallTime,
    ConfirmFromStation,
    Order,
    RelieveTable,
    SeatGame,
    TakeGame,
    VoidTable,
    WithdrawSeat,
)
from core.terms import GameId
from core.tournament.decisions import TournamentStep
from core.tournament.draw.drawing import PublishDraw
from core.tournament.sheets import AcceptSheet, CorrectSheet, DisputeSheet, SettleDispute
from station.rehearsals.contract import Solved
from sync.protocol.entry import content_of

_NEWS: Final = (
    "SELECT arrival, stream, raw FROM entries"
    " WHERE arrival > ? AND (stream LIKE 'orders/%' OR stream LIKE 'tournament/%') ORDER BY arrival"
)
_TABLES: Final = "SELECT terminal, table_no FROM terminals WHERE table_no IS NOT NULL AND NOT revoked"
_orders = msgspec.msgpack.Decoder(Order)
_steps = msgspec.msgpack.Decoder(TournamentStep)


class JudgeActed(msgspec.Struct, frozen=True):
    """A judge's decision about a table. ``act`` is None if it can't solve a fault."""

    table: int
    act: Solved | None


class SheetIn(msgspec.Struct, frozen=True):
    """A table's record sheet was accepted."""

    table: int


class RoundBegan(msgspec.Struct, frozen=True):
    """A round began: its draw was published."""

    round: int


Seen = JudgeActed | SheetIn | RoundBegan


@contextlib.contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        yield database


class Watcher:
    """A reader of a running station's database."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._arrival = 0
        self._table_of: dict[GameId, int] = {}
        self._players: dict[int, tuple[str, ...]] = {}

    def news(self) -> tuple[Seen, ...]:
        """Return the events since the previous call."""
        seen: list[Seen] = []
        with reading(self._database) as database:
            for arrival, stream, raw in database.execute(_NEWS, (self._arrival,)).fetchall():
                self._arrival = arrival
                body = bytes(content_of(raw).body)
                if stream.startswith("orders/"):
                    seen += self._of_order(_orders.decode(body))
                else:
                    seen += self._of_step(_steps.decode(body))
        return tuple(seen)

    def tables(self) -> dict[str, int]:
        """Return the table to which each terminal is assigned, by terminal id."""
        with reading(self._database) as database:
            return {str(terminal): int(table) for terminal, table in database.execute(_TABLES).fetchall()}

    def players(self, table: int) -> tuple[str, ...]:
        return self._players.get(table, ())

    def _of_order(self, order: Order) -> Iterator[Seen]:
        match order:
            case SeatGame():
                self._table_of[order.seating.game] = order.seating.table
                seats = tuple(str(seat.player) for seat in order.seating.seats)
                self._players[order.seating.table] = seats
            case TakeGame(first=0):
                yield from self._judge_acts(order.game, Solved.SWAPPED)
            case AnswerCall() | RelieveTable():
                yield from self._judge_acts(order.game, None)
            case WithdrawSeat():
                yield from self._judge_acts(order.game, Solved.WITHDRAWN)
            case CallTime():
                yield from self._judge_acts(order.game, Solved.TIME_CALLED)
            case VoidTable():
                yield from self._judge_acts(order.game, Solved.VOIDED)
            case ConfirmFromStation():
                yield from self._judge_acts(order.game, Solved.CONFIRMED)
            case _:
                pass

    def _of_step(self, step: TournamentStep) -> Iterator[Seen]:
        for event in step.events:
            match event:
                case PublishDraw():
                    yield RoundBegan(event.round)
                case AcceptSheet():
                    if event.game in self._table_of:
                        yield SheetIn(self._table_of[event.game])
                case CorrectSheet():
                    yield from self._judge_acts(event.game, Solved.CORRECTED)
                case DisputeSheet() | SettleDispute():
                    yield from self._judge_acts(event.game, None)
                case _:
                    pass

    def _judge_acts(self, game: GameId, act: Solved | None) -> Iterator[JudgeActed]:
        table = self._table_of.get(game)
        if table is not None:
            yield JudgeActed(table, act)
