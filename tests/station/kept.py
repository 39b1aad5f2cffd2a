"""A terminal of a scripted station with the real keeper: it carries its orders out and writes its journal."""

from typing import TypeVar

import msgspec

from core.game.decide import GameCommand
from core.game.ending.sheet import ConfirmSheet, DeclareRoles
from core.game.play.eliminations import Eliminate
from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife
from core.game.setup import BeginGame, CheckIn, ChooseCharacter, DealRoles
from core.game.state.game import Cause, Confirmation, GameState
from core.terms import GameId, Role, SeatNo
from kiosk.terminal.game_keeper import GameKeeper
from sync.protocol.entry import StreamId, TerminalId, content_of
from tests.station.conftest import FACES, ROLES, JournalWriter, ScriptedTerminal, Station

T = TypeVar("T")


class KeptTerminal(JournalWriter):
    """One unit: keeper, journal, and the number of its entries that the station has (``sent``)."""

    def __init__(self, station: Station, terminal: TerminalId, epoch: str = "a" * 16) -> None:
        super().__init__(station, terminal, epoch)
        self.keeper = GameKeeper()
        self.sent = 0

    @property
    def game(self) -> GameState:
        game = self.keeper.game
        assert game is not None
        return game

    def obeys(self, most: int = 1_000) -> None:
        """Carry out the orders that have arrived, at most the given number of them."""
        orders = self.station.store.entries(StreamId(f"orders/{self.id}"), 0, 1_000)
        for number, entry in enumerate(orders[:most], 1):
            for body in self.keeper.carry_out(number, bytes(content_of(entry.raw).body)):
                self.writes_body(body)

    def asks(self, *commands: GameCommand) -> None:
        for command in commands:
            self.writes_body(self.keeper.ask(command))

    def tells(self, *commands: GameCommand) -> None:
        self.asks(*commands)
        self.sends()

    def starts(self) -> None:
        """Carry out the orders, begin the game and send it."""
        self.obeys()
        self.begins()
        self.sends()

    def begins(self) -> GameId:
        """Check all in, deal, choose, up to the first turn."""
        seats = [seat.seat for seat in self.game.seats]
        self.asks(*map(CheckIn, seats), DealRoles())
        self.asks(*(ChooseCharacter(seat, FACES[seat]) for seat in seats), BeginGame())
        return self.game.game

    def ends_turns(self, count: int) -> None:
        self.asks(*(EndTurn() for _ in range(count)))

    def ends(self, by: int = 2) -> None:
        """Let somebody shoot the Sheriff, and declare all roles."""
        self.asks(*(LoseLife(SeatNo(1)) for _ in range(self.game.seats[0].life)))
        self.asks(Eliminate(SeatNo(1), SeatNo(by), Role.SHERIFF, Cause.PLAYER))
        self.asks(DeclareRoles(ROLES[len(self.game.seats)]))

    def confirms(self) -> None:
        self.tells(ConfirmSheet(Confirmation.PIN))

    def plays_turns(self, count: int = 1) -> None:
        self.ends_turns(count)
        self.sends()

    def ordered(self, kind: type[T]) -> list[T]:
        return [order for order in self.station.orders(self.id) if isinstance(order, kind)]

    def hits(self, seat: int) -> None:
        self.asks(LoseLife(SeatNo(seat)))

    def sends(self, count: int | None = None) -> None:
        """The next entries become durable at the station; all where no count is given."""
        end = len(self.entries) if count is None else min(len(self.entries), self.sent + count)
        entries, self.sent = self.entries[self.sent : end], end
        assert not self.station.receives(entries)

    def restarts(self, kept: int | None = None) -> None:
        """The power goes and comes back; so many entries were saved."""
        self.entries = self.entries[:kept]
        self.keeper = GameKeeper()
        orders = self.station.store.entries(StreamId(f"orders/{self.id}"), 0, 1_000)
        own = tuple(bytes(content_of(entry.raw).body) for entry in self.entries)
        for body in self.keeper.resume(own, tuple(bytes(content_of(e.raw).body) for e in orders)):
            self.writes_body(body)

    def meets(self) -> None:
        """Orders and entries go to and fro until there is nothing to say."""
        before = -1
        while before != len(self.entries):
            before = len(self.entries)
            self.obeys()
            self.sends()


def unit(station: Station, table: int | None, name: str = "") -> KeptTerminal:
    """A terminal that enrolled by a provisioning file for this table."""
    scripted: ScriptedTerminal = station.terminal(table, name)
    return KeptTerminal(station, scripted.id)


def kept_round(station: Station) -> KeptTerminal:
    """Publish the first round of a tournament of ten, with a game begun at table 1."""
    station.opens()
    terminal = unit(station, 1)
    station.publishes()
    terminal.starts()
    return terminal


def same_game(one: GameState, other: GameState) -> bool:
    """Return whether two states are the same moment of the same game."""
    return msgspec.msgpack.encode(one) == msgspec.msgpack.encode(other)
