"""Games split between the station, a dead terminal and spares: each step counts once or is listed as late."""

from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import msgspec
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from base.errors import Refused
from core.game.decide import GameCommand
from core.game.ending.judge_calls import CallJudge
from core.game.events import GameStep, StepOrigin
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife, RegainLife
from core.game.setup import BeginGame, CheckIn, ChooseCharacter, DealRoles, TableSeated
from core.game.state.decisions import Undo
from core.game.takeover import StepWithOrigin, is_same_step
from core.game.timeline import fold
from core.terms import SeatNo, TableNo
from kiosk.terminal.game_keeper import GameKeeper
from station.enrolment.enrolments import EnrolledTerminal
from station.enrolment.terminal_pins import TerminalPins
from station.hall.authoritative_log import authoritative_log, late_steps, steps_with_origins
from station.hall.orders import OrderContext, orders_due
from station.hall.published import PublishedTable, published_tables
from station.projections.game_logs import GameTrack
from station.projections.projections import Projections
from station.projections.tournament_logs import GamePlace
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
from tests.examples import examples
from tests.station.conftest import FACES, WALL_MS, Station, present

UNITS = [TerminalId(name * 32) for name in "abc"]


class Stream:
    """A stream kept in memory."""

    def __init__(self, name: str, epoch: str) -> None:
        self._name, self._epoch = StreamId(name), Epoch(epoch)
        self.entries: list[Entry] = []

    def write(self, body: bytes) -> None:
        seq = len(self.entries) + 1
        raw = content_bytes(ClockReading(1, seq, WALL_MS + seq, trusted=False), body)
        before = self.entries[-1].hash if self.entries else GENESIS
        self.entries.append(Entry(self._name, self._epoch, seq, raw, chained_hash(before, raw)))

    def bodies(self) -> tuple[bytes, ...]:
        return tuple(bytes(content_of(entry.raw).body) for entry in self.entries)


class Unit:
    """A terminal: its saved entries, those at the station, and the orders it has received."""

    def __init__(self, terminal: TerminalId) -> None:
        self.terminal = terminal
        self.keeper = GameKeeper()
        self.own = Stream(f"table/{terminal}", terminal[:16])
        self.orders = Stream(f"orders/{terminal}", "5" * 16)
        self.sent = 0

    def play(self, command: GameCommand) -> None:
        if self.keeper.game is None:
            return
        try:
            self.own.write(self.keeper.ask(command))
        except Refused:
            return

    def obey(self) -> None:
        for number, body in enumerate(self.orders.bodies(), 1):
            for written in self.keeper.carry_out(number, body):
                self.own.write(written)

    def restart(self) -> None:
        self.keeper = GameKeeper()
        for written in self.keeper.resume(self.own.bodies(), self.orders.bodies()):
            self.own.write(written)


class PaperHall:
    """A station's projections and orders without its database. ``here`` is the terminal at table 1."""

    def __init__(self, published: PublishedTable) -> None:
        self.published = published
        self.game = published.drawn.game
        self.projections = Projections()
        epoch = Epoch("5" * 16)
        tournament, table = published.tournament.tournament, published.drawn.table
        self.projections.drawn[self.game] = GamePlace(tournament, published.round, (table,), epoch)
        self.units = {terminal: Unit(terminal) for terminal in UNITS}
        self.here = UNITS[0]
        self.decide()

    def standing(self) -> dict[TableNo, TerminalId]:
        return {self.published.drawn.table: self.here}

    def decide(self) -> None:
        hall = OrderContext(self.projections, {self.game: self.published}, self.standing(), TerminalPins())
        for terminal, unit in self.units.items():
            table = self.published.drawn.table if terminal == self.here else None
            for order in orders_due(EnrolledTerminal(terminal, table, "", 0, False), hall):
                unit.orders.write(msgspec.msgpack.encode(order))
                self.projections.apply(unit.orders.entries[-1])

    def receive(self, unit: Unit, count: int) -> None:
        for entry in unit.own.entries[unit.sent : unit.sent + count]:
            touched = self.projections.apply(entry)
            assert not touched.problem
            unit.sent += 1
        self.decide()

    def meet(self) -> None:
        """Exchange everything between the station and a terminal."""
        before = -1
        while before != (before := sum(len(unit.own.entries) for unit in self.units.values())):
            for unit in self.units.values():
                unit.obey()
                self.receive(unit, 10_000)


COMMANDS: list[GameCommand] = [
    EndTurn(),
    LoseLife(SeatNo(3)),
    RegainLife(SeatNo(3)),
    Undo(1),
    Undo(3),
    CallJudge(),
    Reshuffle(),
]
Act = Callable[[PaperHall], None]
UNIT = st.sampled_from(UNITS)


def _played(unit: TerminalId, command: GameCommand) -> Act:
    return lambda hall: hall.units[unit].play(command)


def _sent(unit: TerminalId, count: int) -> Act:
    return lambda hall: hall.receive(hall.units[unit], count)


def _obeyed(unit: TerminalId) -> Act:
    return lambda hall: hall.units[unit].obey()


def _restarted(unit: TerminalId) -> Act:
    return lambda hall: hall.units[unit].restart()


def _swapped(unit: TerminalId) -> Act:
    def act(hall: PaperHall) -> None:
        hall.here = unit
        hall.decide()

    return act


ACTS = st.lists(
    st.one_of(
        st.builds(_played, UNIT, st.sampled_from(COMMANDS)),
        st.builds(_played, UNIT, st.sampled_from(COMMANDS)),
        st.builds(_sent, UNIT, st.integers(1, 9)),
        st.builds(_obeyed, UNIT),
        st.builds(_restarted, UNIT),
        st.builds(_swapped, UNIT),
    ),
    min_size=12,
    max_size=60,
)


@pytest.fixture
def published(station: Station) -> PublishedTable:
    station.opens(10)
    station.publishes()
    tables = published_tables(station.context.tournament_states())
    return min(tables.values(), key=lambda table: table.drawn.table)


def begun(published: PublishedTable, steps_sent: int) -> PaperHall:
    """Start a game at table 1, of which the station has this many steps."""
    hall = PaperHall(published)
    first = hall.units[UNITS[0]]
    first.obey()
    game = present(first.keeper.game)
    for seat in game.seats:
        first.play(CheckIn(seat.seat))
    first.play(DealRoles())
    for seat in game.seats:
        first.play(ChooseCharacter(seat.seat, FACES[seat.seat]))
    first.play(BeginGame())
    hall.receive(first, steps_sent)
    return hall


@pytest.mark.slow
@settings(
    max_examples=examples(300), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(steps_sent=st.integers(0, 14), acts=ACTS)
def test_every_step_that_was_saved_counts_once_or_is_listed(
    published: PublishedTable, steps_sent: int, acts: list[Act]
) -> None:
    hall = begun(published, steps_sent)
    for act in acts:
        act(hall)
    hall.meet()
    track = present(authoritative_log(hall.game, hall.projections, hall.standing()))
    counting = Counter(step.origin for step in steps_with_origins(track))
    assert set(counting.values()) == {1}
    late = Counter(
        step.origin
        for other in late_steps(hall.game, hall.projections, hall.standing())
        for step in other.steps
    )
    event("late steps are listed" if late else "nothing is late")
    assert set(late.values()) <= {1}
    assert not counting.keys() & late.keys()
    for unit in hall.units.values():
        for seq, step in enumerate(map(_step, unit.own.bodies()), 1):
            origin = StepOrigin(unit.terminal, unit.terminal[:16], seq)
            if isinstance(step.origin, StepOrigin) or isinstance(step.events[0], TableSeated):
                continue
            assert counting[origin] + late[origin] == 1
    assert followed_as_written(hall, track)
    assert fold(timed.step for timed in track.steps) == track.timeline
    keeper = hall.units[hall.here].keeper
    assert track.terminal == hall.here
    assert keeper.game == track.state
    assert [unit.terminal for unit in hall.units.values() if _may_play(unit)] == [hall.here]


def test_an_older_telling_as_long_as_the_given_one_is_not_taken_for_it(published: PublishedTable) -> None:
    """Steps that continue the older log would be merged into the one that was given since."""
    dead, first_spare, second_spare = UNITS
    hall = begun(published, 4)
    for act in (
        _swapped(first_spare), _obeyed(first_spare), _played(first_spare, Undo(1)),
        _sent(dead, 1), _swapped(second_spare), _obeyed(second_spare), _sent(first_spare, 5),
        _swapped(first_spare), _sent(second_spare, 5), _swapped(second_spare),
    ):  # fmt: skip
        act(hall)
    hall.meet()
    track = present(authoritative_log(hall.game, hall.projections, hall.standing()))
    assert track.terminal == second_spare
    assert isinstance(track.steps[-1].step.events[0], Undo)
    assert followed_as_written(hall, track)
    (late,) = late_steps(hall.game, hall.projections, hall.standing())
    assert [step.origin.seq for step in late.steps] == list(range(5, 14))


def followed_as_written(hall: PaperHall, track: GameTrack) -> bool:
    """Return whether each step that counts follows the step after which it was entered."""
    before: dict[StepOrigin, StepWithOrigin] = {}
    for other in hall.projections.games[hall.game]:
        steps = steps_with_origins(other)
        before |= {
            step.origin: previous for previous, step in pairwise(steps) if step.step.origin is msgspec.UNSET
        }
    return all(
        is_same_step(previous, before[step.origin]) for previous, step in pairwise(steps_with_origins(track))
    )


def _step(body: bytes) -> GameStep:
    return msgspec.msgpack.decode(body, type=GameStep)


def _may_play(unit: Unit) -> bool:
    return unit.keeper.game is not None and not unit.keeper.is_relieved and not unit.keeper.steps_to_come
