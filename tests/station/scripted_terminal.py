"""A scripted station's terminal, which tells its games as real ones do."""

from typing import TYPE_CHECKING, TypeVar

import msgspec

from base.signing import signer
from core.characters import Character
from core.editions.loader import edition
from core.game.decide import GameCommand
from core.game.decide import decide as game_decide
from core.game.ending.finished_game import FinishedGame, finished_game
from core.game.ending.sheet import ConfirmSheet, DeclareRoles
from core.game.events import GameStep
from core.game.orders import Order, SeatGame, TerminalFact, TerminalReport
from core.game.play.eliminations import Eliminate
from core.game.play.wounds import LoseLife
from core.game.result import FinishedDuel, result_bytes
from core.game.setup import BeginGame, CheckIn, ChooseCharacter, DealRoles, SeatTable
from core.game.state.game import Cause, Confirmation, GameState
from core.game.timeline import Timeline, extend, undoable
from core.terms import GameId, Role, SeatNo
from sync.protocol.entry import (
    GENESIS,
    ClockReading,
    Entry,
    Epoch,
    StreamId,
    TerminalId,
    chained_hash,
    content_bytes,
    content_of,
)
from sync.protocol.parcel import CarriedEntries, CarriedSheet, seal_parcel

if TYPE_CHECKING:
    from tests.station.conftest import Station

WALL_MS = 1_795_200_000_000
ROLES = {
    4: (Role.SHERIFF, Role.OUTLAW, Role.OUTLAW, Role.RENEGADE),
    5: (Role.SHERIFF, Role.OUTLAW, Role.DEPUTY, Role.OUTLAW, Role.RENEGADE),
    6: (Role.SHERIFF, Role.OUTLAW, Role.DEPUTY, Role.OUTLAW, Role.RENEGADE, Role.OUTLAW),
    7: (Role.SHERIFF, Role.OUTLAW, Role.DEPUTY, Role.OUTLAW, Role.RENEGADE, Role.OUTLAW, Role.DEPUTY),
}
FACES = [face for face in Character if face.value not in {"El Gringo", "Paul Regret"}]
T = TypeVar("T")


class JournalWriter:
    """The journal of a scripted station's terminal. ``entries`` are all of it."""

    def __init__(self, station: "Station", terminal: TerminalId, epoch: str) -> None:
        self.station = station
        self.id = terminal
        self.stream = StreamId(f"table/{terminal}")
        self.epoch = Epoch(epoch)
        self.entries: list[Entry] = []

    def writes_body(self, body: bytes) -> None:
        seq = len(self.entries) + 1
        raw = content_bytes(self._reads_clock(seq), body)
        previous = self.entries[-1].hash if self.entries else GENESIS
        self.entries.append(Entry(self.stream, self.epoch, seq, raw, chained_hash(previous, raw)))

    def _reads_clock(self, seq: int) -> ClockReading:
        return ClockReading(1, seq * 1000, self.station.clock.wall_ms() + seq * 1000, trusted=False)


class ScriptedTerminal(JournalWriter):
    """A terminal: seats what it is told, plays by the core, and sends its entries."""

    def __init__(self, station: "Station", terminal: TerminalId, key: str = "") -> None:
        super().__init__(station, terminal, "e" * 16)
        self.key = key
        self.rules = edition("championship-2022")
        self.timeline: Timeline | None = None
        self.unsent: list[Entry] = []

    @property
    def orders(self) -> list[Order]:
        return self.station.orders(self.id)

    def ordered(self, kind: type[T]) -> list[T]:
        return [order for order in self.orders if isinstance(order, kind)]

    @property
    def steps(self) -> list[GameStep]:
        return [msgspec.msgpack.decode(content_of(e.raw).body, type=GameStep) for e in self.entries]

    def ask(self, *commands: GameCommand) -> None:
        for command in commands:
            state = None if self.timeline is None else self.timeline.state
            events = game_decide(state, command, self.rules, may_undo=undoable(self.timeline))
            game = command.game if isinstance(command, SeatTable) else self.state.game
            self.writes(GameStep(game, events))

    def tells(self, *commands: GameCommand) -> None:
        """Carry out commands and send their entries."""
        self.ask(*commands)
        self.sends()

    def reports(self, *facts: TerminalFact) -> None:
        """Report facts about itself."""
        for fact in facts:
            self.writes_body(msgspec.msgpack.encode(TerminalReport(fact, len(self.orders))))
        self.sends()

    def writes(self, step: GameStep) -> None:
        self.timeline = extend(self.timeline, step)
        self.writes_body(msgspec.msgpack.encode(step))

    def writes_body(self, body: bytes) -> None:
        super().writes_body(body)
        self.unsent.append(self.entries[-1])

    def _reads_clock(self, seq: int) -> ClockReading:
        return ClockReading(1, seq * 1000, WALL_MS + seq * 1000, trusted=False)

    def sends(self) -> None:
        entries = tuple(self.unsent)
        self.unsent.clear()
        self.station.receives(entries)

    @property
    def seating(self) -> SeatTable:
        """The last seating that it was ordered."""
        return self.ordered(SeatGame)[-1].seating

    def seats(self) -> GameId:
        """Carry out the last order that seats a game, up to the first turn."""
        return self.begins(self.seating)

    def starts(self, *commands: GameCommand) -> GameId:
        """The same, and these commands, and send it all."""
        game = self.seats()
        self.tells(*commands)
        return game

    def begins(self, seating: SeatTable) -> GameId:
        self.ask(seating)
        self._goes_to_first_turn(len(seating.seats))
        return seating.game

    @property
    def state(self) -> GameState:
        assert self.timeline is not None
        return self.timeline.state

    def begins_anew(self, seating: SeatTable) -> GameId:
        """Begin a game as if there had been none before."""
        self.timeline = None
        return self.begins(seating)

    def begins_again(self) -> GameId:
        """From the check-in of a game that is played again up to its first turn."""
        self._goes_to_first_turn(len(self.state.seats))
        return self.state.game

    def _goes_to_first_turn(self, count: int) -> None:
        self.ask(*(CheckIn(SeatNo(seat)) for seat in range(1, count + 1)), DealRoles())
        self.ask(*(ChooseCharacter(SeatNo(seat), FACES[seat - 1]) for seat in range(1, count + 1)))
        self.ask(BeginGame())

    def ends(self) -> None:
        """Seat 2 shoots the Sheriff; all roles are declared."""
        self.ask(*(LoseLife(SeatNo(1), 1) for _ in range(self.state.seats[0].life)))
        self.ask(Eliminate(SeatNo(1), SeatNo(2), Role.SHERIFF, Cause.PLAYER))
        self.ask(DeclareRoles(ROLES[len(self.state.seats)]))

    def seals_entries(self, first: int = 1, last: int | None = None) -> bytes:
        """A parcel of its entries; they stay unsent."""
        raws = tuple(entry.raw for entry in self.entries[first - 1 : last])
        before = self.entries[first - 2].hash if first > 1 else GENESIS
        after = self.entries[first - 2 + len(raws)].hash
        content = CarriedEntries(self.epoch, first, before, after, raws)
        return seal_parcel(self.id, content, signer(self.key.encode(), "key"))

    def seals_sheet(self, result: FinishedGame | FinishedDuel | None = None) -> bytes:
        """A parcel of its result as a real terminal makes it, or of another result."""
        state, head = self.state, self.entries[-1]
        confirmed = "" if state.confirmed is None else state.confirmed.value
        body = result_bytes(result or finished_game(state))
        content = CarriedSheet(self.epoch, head.seq, head.hash, state.game, confirmed, body)
        return seal_parcel(self.id, content, signer(self.key.encode(), "key"))

    def plays_unsent(self, how: Confirmation | None = Confirmation.PIN) -> GameId:
        """A whole game that no wire carries; not confirmed at the table for None."""
        game = self.seats()
        self.ends()
        if how is not None:
            self.ask(ConfirmSheet(how))
        return game

    def plays(self, how: Confirmation = Confirmation.PIN) -> GameId:
        """A whole game, confirmed at the table and sent."""
        game = self.seats()
        self.ends()
        self.confirms(how)
        return game

    def confirms(self, how: Confirmation = Confirmation.PIN) -> None:
        """Confirm the sheet at the table, and send everything."""
        self.tells(ConfirmSheet(how))
