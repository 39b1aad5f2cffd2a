"""A station and its terminals on one pair in virtual time. Each end must receive what the other sent."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sync.bus.frame import BusFrameKind
from sync.bus.members import Cloned, Full, UnitLeft
from tests.examples import examples
from tests.rigs.bus_hall import HallNoise
from tests.rigs.bus_units import RigHall, RigTerminal, joined_hall

CLEAN = HallNoise()
ADAPTERS = HallNoise(hold_ms=16)


def check_streams(rig: RigHall) -> None:
    """Check that each end received a prefix of what the other sent."""
    lents = [*rig.station.former, *rig.station.leases.values()]
    for terminal in rig.terminals:
        of_unit = [lent for lent in lents if lent.unit == terminal.unit]
        for lent in of_unit:
            assert any(life.said.startswith(lent.received) for life in terminal.lives)
        for life in terminal.lives:
            assert any(lent.said.startswith(life.received) for lent in of_unit) or not life.received


def check_all_is_delivered(rig: RigHall) -> None:
    for terminal in rig.terminals:
        lease = rig.station.lease_of(terminal.unit)
        assert lease is not None
        lent, life = rig.station.leases[lease], terminal.lives[-1]
        assert (bytes(lent.received), bytes(life.received)) == (bytes(life.said), bytes(lent.said))


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize(
    "noise",
    [
        pytest.param(CLEAN, id="clean", marks=pytest.mark.nightly),
        pytest.param(ADAPTERS, id="adapters", marks=pytest.mark.nightly),
        pytest.param(HallNoise(flips=1e-4), id="noise"),
    ],
)
def test_32_terminals_join_and_talk_in_both_directions(noise: HallNoise) -> None:
    rig = RigHall(32, noise)
    for terminal in rig.terminals:
        terminal.say(bytes(1_000))
    assert rig.wait_joined() < 25_000
    for terminal in rig.terminals:
        rig.station.say(terminal.unit, b"order" * 60)
        terminal.say(b"entry" * 60)
    rig.hall.run_ms(15_000)
    check_all_is_delivered(rig)
    assert rig.hall.clashes == []


@pytest.mark.nightly
@pytest.mark.slow
def test_an_idle_terminal_is_heard_soon_and_a_busy_one_has_most_of_the_line() -> None:
    rig = joined_hall(32)
    rig.hall.run_ms(2_000)
    busy, others = rig.terminals[0], rig.terminals[1:]
    chance, late = random.Random(3), []
    start = rig.hall.now_ms
    while rig.hall.now_ms < start + 10_000:
        busy.say(bytes(16_000))
        other = chance.choice(others)
        said_ms = rig.hall.now_ms
        other.say(b"entry")
        lent = rig.station.leases[rig.station.lease_of(other.unit) or 0]
        assert rig.hall.run_ms(3_000, lambda lent=lent, other=other: lent.received == other.lives[-1].said)  # type: ignore[misc]
        late.append(rig.hall.now_ms - said_ms)
        rig.hall.run_ms(200)
    lent = rig.station.leases[rig.station.lease_of(busy.unit) or 0]
    assert len(lent.received) * 10 / (rig.hall.now_ms - start) > 0.75 * 115.2
    assert max(late) < 1_000


@pytest.mark.slow
def test_idle_terminals_are_asked_together() -> None:
    rig = joined_hall(32)
    rig.hall.run_ms(2_000)
    rig.station.frames.clear()
    rig.hall.run_ms(10_000)
    assert rig.station.frames[BusFrameKind.ASK] > 100
    # Each is polled now and then, to see whether it is there.
    assert 60 < rig.station.frames[BusFrameKind.POLL] < 120


def test_a_terminal_that_was_pulled_is_noticed_and_comes_back() -> None:
    rig = joined_hall(5)
    one = rig.terminals[2]
    one.pull()
    assert rig.hall.run_ms(12_000, lambda: rig.station.lease_of(one.unit) is None)
    one.plug_in()
    one.say(b"I am back")
    assert rig.wait_joined() < 2_000
    rig.hall.run_ms(500)
    check_all_is_delivered(rig)


def test_a_terminal_that_starts_again_at_once_gets_a_new_stream() -> None:
    rig = joined_hall(5)
    one = rig.terminals[2]
    former = rig.station.lease_of(one.unit)
    one.pull()
    one.plug_in()
    one.say(b"I am another")
    assert rig.hall.run_ms(3_000, lambda: rig.station.lease_of(one.unit) not in {former, None})
    assert UnitLeft(former or 0, one.unit, "the terminal has restarted") in rig.station.events
    rig.hall.run_ms(500)
    check_all_is_delivered(rig)


def test_a_station_that_starts_again_finds_all_terminals() -> None:
    rig = joined_hall(8)
    for terminal in rig.terminals:
        terminal.say(b"before")
    rig.hall.run_ms(1_000)
    rig.station.restart()
    assert rig.wait_joined() < 10_000
    for terminal in rig.terminals:
        terminal.say(b"after")
    rig.hall.run_ms(2_000)
    check_streams(rig)
    check_all_is_delivered(rig)


@pytest.mark.slow
def test_two_units_with_one_id_are_noticed_and_the_first_goes_on() -> None:
    rig = joined_hall(4)
    lease = rig.station.lease_of(rig.terminals[1].unit)
    twin = RigTerminal(rig.hall, rig.terminals[1].unit, 115_200, seed=99)
    twin.name = "twin"
    twin.plug_in()
    assert rig.hall.run_ms(5_000, lambda: Cloned(twin.unit) in rig.station.events)
    rig.hall.run_ms(20_000)
    assert rig.station.lease_of(twin.unit) == lease
    assert rig.station.events.count(Cloned(twin.unit)) == 1


@pytest.mark.slow
def test_the_33rd_terminal_is_told_of_and_gets_the_first_free_place() -> None:
    rig = RigHall(33)
    assert rig.hall.run_ms(60_000, lambda: any(isinstance(e, Full) for e in rig.station.events))
    assert rig.joined() == 32
    leaves = next(t for t in rig.terminals if rig.station.lease_of(t.unit) is not None)
    leaves.pull()
    assert rig.hall.run_ms(40_000, lambda: rig.joined() == 32 and rig.station.lease_of(leaves.unit) is None)


DEEDS = st.sampled_from(["pull", "plug", "say", "order", "restart"])
NOISES = st.sampled_from(
    [CLEAN, ADAPTERS, HallNoise(flips=2e-4), HallNoise(flips=5e-5, drops=1e-4, hold_ms=4)]
)


def do(deed: str, which: int, rig: RigHall, chance: random.Random) -> None:
    one = rig.terminals[which]
    if deed == "restart" and which == 0:
        rig.station.restart()
    elif deed == "order":
        rig.station.say(one.unit, chance.randbytes(chance.randrange(1, 2_000)))
    elif deed == "say":
        one.say(chance.randbytes(chance.randrange(1, 4_000)))
    elif deed == "pull":
        one.pull()
    elif deed == "plug" and one.plug is None:
        one.plug_in()


@pytest.mark.slow
@settings(deadline=None, max_examples=examples(6), suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**20), NOISES, st.lists(st.tuples(DEEDS, st.integers(0, 5)), max_size=25))
def test_whatever_happens_streams_stay_in_order_and_all_is_well_afterwards(
    seed: int, noise: HallNoise, deeds: list[tuple[str, int]]
) -> None:
    rig = RigHall(6, noise, seed=seed)
    chance = random.Random(seed)
    for deed, which in deeds:
        do(deed, which, rig, chance)
        rig.hall.run_ms(chance.randrange(1, 1_500))
    check_streams(rig)
    rig.hall.noise = HallNoise(hold_ms=noise.hold_ms)
    for which in range(6):
        do("plug", which, rig, chance)
    rig.hall.run_ms(15_000)
    rig.wait_joined()
    for one in rig.terminals:
        one.say(b"still here")
    rig.hall.run_ms(15_000)
    rig.wait_joined()
    rig.hall.run_ms(3_000)
    check_streams(rig)
    check_all_is_delivered(rig)
