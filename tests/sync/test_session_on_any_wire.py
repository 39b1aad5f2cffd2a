"""Two journals, and wires that cut anywhere: nothing lost, doubled or altered."""

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.examples import examples
from tests.sync.two_ends import ORDERS, Log, Pair


class Journals(RuleBasedStateMachine):
    """Any order of writing, carrying, cutting, crashing and storing."""

    def __init__(self) -> None:
        super().__init__()
        self.pair = Pair()
        self.ways: list[bytearray] = [bytearray(), bytearray()]
        self.count = 0

    def up(self) -> bool:
        return self.pair.terminal.session is not None

    @rule(end=st.sampled_from((0, 1)), count=st.integers(1, 80))
    def write(self, end: int, count: int) -> None:
        machine = self.pair.ends[end]
        for _ in range(count):
            self.count += 1
            machine.own.add(msgspec.msgpack.encode((end, self.count)))
        if machine.session is not None:
            machine.session.on_append(self.pair.now_ms)

    @rule()
    def connect(self) -> None:
        self.ways = [bytearray(), bytearray()]
        self.pair.connect()

    @precondition(up)
    @rule(end=st.sampled_from((0, 1)), most=st.integers(1, 4_000))
    def carry(self, end: int, most: int) -> None:
        source, target, way = self.pair.ends[end], self.pair.ends[1 - end], self.ways[end]
        assert source.session is not None
        way += source.session.outgoing()
        piece = bytes(way[:most])
        del way[:most]
        target.hear(piece, self.pair.now_ms)

    @precondition(up)
    @rule(end=st.sampled_from((0, 1)))
    def store(self, end: int) -> None:
        if self.pair.ends[end].unstored:
            self.pair.ends[end].store_one(self.pair.now_ms)

    @rule()
    def cut(self) -> None:
        """The wire goes, or either end crashes: sessions are lost, what was not stored is too."""
        for machine in self.pair.ends:
            machine.session = None
            machine.unstored.clear()

    @rule(left=st.integers(0, 30))
    def restore_the_station(self, left: int) -> None:
        """An older copy of the station comes back, with a new epoch of its own streams."""
        self.cut()
        station = self.pair.station
        for log in station.held.values():
            log.cut_to(left)
        self.count += 1
        fresh = Log(ORDERS, f"s{self.count}")
        fresh.add(*station.own.raws[:left])
        station.own = fresh
        station.acked = 0
        self.pair.terminal.acked = min(self.pair.terminal.acked, left)

    @invariant()
    def held_is_a_beginning_of_what_was_written(self) -> None:
        for end, other in (self.pair.ends, self.pair.ends[::-1]):
            held = other.held.get(end.own.epoch)
            count = len(held.raws) if held is not None else 0
            assert held is None or held.raws == end.own.raws[:count]
            assert end.acked <= count
            assert not end.forks

    def teardown(self) -> None:
        self.pair.connect()
        self.pair.exchange()
        self.pair.agree()


@pytest.mark.slow
class TestJournals(Journals.TestCase):  # type: ignore[valid-type,misc]  # made by hypothesis
    settings = settings(max_examples=examples(60), stateful_step_count=40, deadline=None)
