"""The content of entries, as read by both ends: the station's projections and the terminal's keeper.

The input consists of entry bodies, each preceded by its length in two bytes. An enrolled key may sign
anything, and neither end may stop because of it.
"""

from itertools import chain

import msgspec

from core.characters import Character
from core.game.decide import GameCommand
from core.game.orders import CallTime, Order, SeatGame, VoidTable
from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife
from core.game.setup import BeginGame, CheckIn, ChooseCharacter, DealRoles, SeatTable
from core.game.state.decisions import Undo
from core.game.state.game import SeatedPlayer
from core.rule_set import RuleSet
from core.terms import GameId, PlayerId, RoundNo, SeatNo, TableNo, TournamentId
from kiosk.terminal.game_keeper import GameKeeper
from station.projections.projections import Projections
from sync.protocol.entry import ClockReading, Epoch, StreamId, content_bytes
from tests.soak.virtual_disk import chained

_GAME = GameId("g1")
_SEATS = tuple(SeatNo(number) for number in range(1, 6))
_STREAMS = tuple(map(StreamId, ("table/1", "orders/1", "tournament/t", "weather/1")))
_CLOCK = ClockReading(1, 2, 3, trusted=False)
_MOST = 24
"""The most bodies of one input, since projections grow with valid content."""


def one_input(data: bytes) -> None:
    """Let both ends read every body in every stream in which it may arrive."""
    bodies = pieces(data)
    folds = Projections()
    for stream in _STREAMS:
        raws = chain.from_iterable((body, wrapped(body)) for body in bodies)
        for entry in chained(stream, Epoch("5" * 16), raws):
            folds.apply(entry)
    GameKeeper().resume(bodies, ())
    GameKeeper().resume(bodies[::2], bodies[1::2])


def wrapped(body: bytes) -> bytes:
    """Return a body as an entry's content, if it is not too long."""
    return content_bytes(_CLOCK, body)


def pieces(data: bytes) -> tuple[bytes, ...]:
    parts: list[bytes] = []
    at = 0
    while at + 2 <= len(data) and len(parts) < _MOST:
        end = at + 2 + int.from_bytes(data[at : at + 2])
        parts.append(data[at + 2 : end])
        at = end
    return tuple(parts)


def as_input(*bodies: bytes) -> bytes:
    return b"".join(len(body).to_bytes(2) + body for body in bodies)


def _orders() -> tuple[Order, ...]:
    seats = tuple(SeatedPlayer(PlayerId(f"p{n}"), f"Player {n}") for n in _SEATS)
    rules = RuleSet("championship-2022")
    table = SeatTable(_GAME, TournamentId("t"), "Open", rules, RoundNo(1), TableNo(3), seats)
    return SeatGame(table, 90), CallTime(_GAME), VoidTable(_GAME, "a flood")


def _game() -> tuple[bytes, ...]:
    """Return the steps of a game's beginning, as a terminal writes them."""
    faces = [face for face in Character if face.value not in {"El Gringo", "Paul Regret"}]
    keeper = GameKeeper()
    own = list(keeper.carry_out(1, msgspec.msgpack.encode(_orders()[0])))
    commands: tuple[GameCommand, ...] = (
        *map(CheckIn, _SEATS),
        DealRoles(),
        *(ChooseCharacter(seat, faces[seat]) for seat in _SEATS),
        BeginGame(),
        EndTurn(),
        LoseLife(_SEATS[1]),
        Undo(1),
    )
    own.extend(keeper.ask(command) for command in commands)
    return tuple(own)


_ORDERS = tuple(msgspec.msgpack.encode(order) for order in _orders())
SEEDS = (
    as_input(*_game()),
    as_input(*_ORDERS),
    *(as_input(body) for body in (*_game()[:8], *_ORDERS)),
    as_input(_game()[0], *_ORDERS, *_game()[1:4]),
)
