"""Tables whose terminals are swapped for spares at random, at a real station with real keepers."""

import contextlib
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from base.errors import Refused
from core.game.events import GameStep, StepOrigin
from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife
from core.game.setup import TableSeated
from core.game.state.decisions import Undo
from core.terms import GameId, SeatNo, TableNo
from core.tournament.state.rounds import Round
from station.hall.authoritative_log import authoritative_log, late_steps, steps_with_origins
from station.terminals.service import Terminals
from sync.protocol.entry import StreamId, TerminalId, content_of, orders_of
from tests.soak.counts import Counts, Progress, repeated
from tests.soak.cuts import fast_folder, quiet
from tests.soak.oracle import JournalView, StationView, first_difference
from tests.station.conftest import JUDGE, OPEN, Station
from tests.station.kept import KeptTerminal, same_game, unit

PLAYERS, TABLES, SPARES = 10, 2, 6


class Unit(KeptTerminal):
    """A terminal, with the orders that it has carried out."""

    def __init__(self, station: Station, terminal: TerminalId) -> None:
        super().__init__(station, terminal)
        self.received = 0

    def obeys(self, most: int = 1_000) -> None:
        """Carry out the orders that have arrived, at most the given number of them."""
        super().obeys(most)
        stored = self.station.store.entries(orders_of(self.id), 0, 1_000)
        self.received = max(self.received, len(stored[:most]))

    def view(self) -> JournalView:
        orders = self.station.store.entries(orders_of(self.id), 0, self.received)
        return JournalView(
            StreamId(f"table/{self.id}"),
            self.epoch,
            tuple(entry.raw for entry in self.entries),
            orders_of(self.id),
            tuple((entry.epoch, entry.seq, entry.raw) for entry in orders),
        )

    def plays(self, chance: random.Random) -> None:
        """Enter a few steps as players do, omitting those that are not allowed now."""
        for _ in range(chance.randint(1, 4)):
            game = self.keeper.game
            if game is None:
                return
            seat = SeatNo(chance.randint(1, len(game.seats)))
            deed = chance.choice((EndTurn(), EndTurn(), LoseLife(seat), Undo(1)))
            with contextlib.suppress(Refused):
                self.asks(deed)


class HallOfSpares:
    def __init__(self, seed: int, folder: Path) -> None:
        self._chance = random.Random(f"spares {seed}")
        self._folder = folder
        self.station = Station(folder)
        self.swaps = self.crashes = 0
        self.station.opens(PLAYERS)
        self.serving = {table: self._unit(table) for table in range(1, TABLES + 1)}
        self._games: Round = self.station.publishes(seed)
        for one in self.serving.values():
            one.obeys()
            one.begins()
            one.meets()
        self._spares = [self._unit(None, f"spare {n}") for n in range(SPARES)]
        self.units = [*self.serving.values(), *self._spares]

    def _unit(self, table: int | None, name: str = "") -> Unit:
        return Unit(self.station, unit(self.station, table, name).id)

    def suffer(self, swaps: int) -> None:
        while self.swaps < swaps:
            table = self._chance.randint(1, TABLES)
            self.serving[table].plays(self._chance)
            self._speak(self.serving[table])
            self._swap(table)
            if self._chance.random() < 0.05:
                self._restart_station()
            for one in self._chance.sample(self.units, 2):
                self._live(one)

    def _swap(self, table: int) -> None:
        """Give the table to a spare, which the old terminal may not learn for a long time."""
        spare = self._spares.pop(self._chance.randrange(len(self._spares)))
        self.station.run(self.station.service.of(Terminals).assign(spare.id, TableNo(table), JUDGE))
        self.station.settle()
        self.swaps += 1
        self._spares.append(self.serving[table])
        self.serving[table] = spare
        if self._chance.random() < 0.7:
            self._spares[-1].plays(self._chance)
        self._live(spare)

    def _live(self, one: Unit) -> None:
        """Let a terminal receive some orders, lose its power, play, and send its entries."""
        match self._chance.randrange(5):
            case 0:
                one.obeys(one.received + self._chance.randint(0, 2))
            case 1:
                one.restarts(self._chance.randint(one.sent, len(one.entries)))
                self.crashes += 1
            case 2:
                one.plays(self._chance)
            case _:
                one.obeys()
        self._speak(one)

    def _speak(self, one: Unit) -> None:
        """Connect a terminal for long enough to send everything, a part, or nothing."""
        match self._chance.randrange(3):
            case 0:
                one.meets()
            case 1:
                one.sends(self._chance.randint(0, 3))
            case _:
                pass

    def _restart_station(self) -> None:
        self.station.close()
        self.crashes += 1
        self.station = Station(self._folder)
        for one in self.units:
            one.station = self.station

    def recover(self) -> None:
        """Connect everybody until nobody has anything to send."""
        before: list[tuple[int, int]] = []
        while before != (now := [(len(one.entries), one.received) for one in self.units]):
            before = now
            for one in self.units:
                one.meets()

    def differences(self) -> Iterator[str]:
        """Return all lost, doubled or altered entries and game steps, as sentences."""
        store = self.station.store
        quarantined = tuple(bad.entry for bad in store.quarantined_entries())
        view = StationView(store.own_epoch(), tuple(one.entry for one in store.entries_after()), quarantined)
        if difference := first_difference([one.view() for one in self.units], view, settled=True):
            yield difference
        for drawn in self._games.tables:
            yield from self._of_game(drawn.game, self.serving[drawn.table])

    def _of_game(self, game: GameId, serving: Unit) -> Iterator[str]:
        where = self.station.context
        track = authoritative_log(game, where.projections, where.terminals_by_table)
        if track is None or track.terminal != serving.id:
            yield f"{game}: the log of another terminal counts than of the one at the table"
            return
        counted = [one.origin for one in steps_with_origins(track)]
        if len(set(counted)) != len(counted):
            yield f"{game}: a step counts twice"
        floor = {card.game_id: card.game for card in self.station.service.floor(OPEN)}
        game_shown = floor[game]
        if game_shown is None or not same_game(serving.game, game_shown):
            yield f"{game}: the judge sees another game than the players"
        late = late_steps(game, where.projections, where.terminals_by_table)
        kept = {step.origin for one in late for step in one.steps} | set(counted)
        for one in self.units:
            for origin in _own_steps(one, game):
                if origin not in kept:
                    yield f"{game}: entry {origin.seq} of {one.id[:8]} neither counts nor is shown as late"


def _own_steps(one: Unit, game: GameId) -> Iterator[StepOrigin]:
    """Yield the steps entered at a terminal after its seating."""
    for entry in one.entries:
        step = msgspec.msgpack.decode(content_of(entry.raw).body, type=GameStep)
        is_copy = isinstance(step.origin, StepOrigin)
        if step.game == game and not is_copy and not isinstance(step.events[0], TableSeated):
            yield StepOrigin(one.id, one.epoch, entry.seq)


SWAPS = 50
LEAST = 20
"""The least number of halls, however short the time is."""


def run_spares(seed: int, seconds: float, progress: Progress) -> Counts:
    """Run halls one after the other. A swap counts as a cut, of a terminal from its game."""
    quiet()
    return repeated(
        lambda number, _: swapped(number, SWAPS), seed * 1_000_000, seconds, progress, least=LEAST
    )


def swapped(seed: int, swaps: int) -> Counts:
    with tempfile.TemporaryDirectory(prefix="saloon-spares-", dir=fast_folder()) as folder:
        hall = HallOfSpares(seed, Path(folder))
        try:
            hall.suffer(swaps)
            hall.recover()
            again = f"again: tests.soak.part_spares.swapped({seed}, {swaps})"
            failures = tuple(f"{difference}; {again}" for difference in hall.differences())
            events = sum(len(one.entries) for one in hall.units)
        finally:
            hall.station.close()
    return Counts(events=events, crashes=hall.crashes, seeds=1, cuts=hall.swaps, failures=failures)
