"""A terminal that sends without being asked is found, and the others continue."""

import pytest

from sync.bus.admission_control import FIRST_SHUN_MS
from sync.bus.events import Babbled, PairJammed, PairQuiet
from tests.rigs.babblers import DeafBabbler, FrameBabbler, NoiseBabbler
from tests.rigs.bus_hall import HallNoise
from tests.rigs.bus_units import RigHall, RigTerminal

ADAPTERS = HallNoise(hold_ms=16)


def babblers(rig: RigHall) -> list[object]:
    return [event for event in rig.station.events if isinstance(event, Babbled | PairJammed | PairQuiet)]


def all_are_heard(rig: RigHall, terminals: list[RigTerminal], most_ms: int = 8_000) -> bool:
    """Return whether each can send something now."""
    for one in terminals:
        one.say(b"still here")

    def is_heard(one: RigTerminal) -> bool:
        lease = rig.station.lease_of(one.unit)
        return lease is not None and rig.station.leases[lease].received == one.lives[-1].said

    return rig.hall.run_ms(most_ms, lambda: all(map(is_heard, terminals)))


@pytest.mark.slow
@pytest.mark.parametrize("make", [FrameBabbler, NoiseBabbler])
@pytest.mark.parametrize("noise", [HallNoise(), ADAPTERS], ids=["clean", "adapters"])
def test_a_babbling_terminal_is_named_and_kept_away_while_the_others_go_on(
    make: type[FrameBabbler | NoiseBabbler], noise: HallNoise
) -> None:
    rig = RigHall(6, noise)
    babbler = make(rig.hall, b"babbler", rig.timing.baud, seed=8)
    babbler.plug_in()
    rig.wait_joined()
    assert rig.hall.run_ms(10_000, lambda: rig.station.lease_of(babbler.unit) is not None)
    rig.hall.run_ms(3_000)
    assert babblers(rig) == []
    babbler.is_on = True
    babbler.say(b"now")
    assert rig.hall.run_ms(15_000, lambda: Babbled(babbler.unit, FIRST_SHUN_MS) in rig.station.events)
    rig.hall.run_ms(1_000)
    assert rig.station.lease_of(babbler.unit) is None
    assert all_are_heard(rig, rig.terminals)
    assert [event for event in babblers(rig) if event != Babbled(babbler.unit, FIRST_SHUN_MS)] == []


def test_a_babbler_that_has_mended_its_ways_may_come_back_and_is_kept_away_longer_the_next_time() -> None:
    rig = RigHall(3)
    babbler = FrameBabbler(rig.hall, b"babbler", rig.timing.baud, seed=8)
    babbler.plug_in()
    babbler.is_on = True
    assert rig.hall.run_ms(15_000, lambda: Babbled(babbler.unit, FIRST_SHUN_MS) in rig.station.events)
    babbler.is_on = False
    assert rig.hall.run_ms(20_000, lambda: rig.station.lease_of(babbler.unit) is not None)
    babbler.is_on = True
    babbler.say(b"again")
    assert rig.hall.run_ms(15_000, lambda: Babbled(babbler.unit, 2 * FIRST_SHUN_MS) in rig.station.events)


def test_one_who_obeys_nobody_and_leaves_gaps_is_told_of_while_the_others_go_on() -> None:
    rig = RigHall(6)
    rig.wait_joined()
    rig.hall.run_ms(2_000)
    deaf = DeafBabbler(rig.hall, on_ms=15, off_ms=120)
    silent = rig.terminals[3]
    silent.pull()
    deaf.plug_in()
    assert rig.hall.run_ms(20_000, lambda: any(isinstance(e, PairJammed) for e in rig.station.events))
    jammed = [event for event in rig.station.events if isinstance(event, PairJammed)][-1]
    assert jammed.suspects == (silent.unit,)
    others = [one for one in rig.terminals if one is not silent]
    assert all_are_heard(rig, others, most_ms=20_000)
    deaf.pull()
    assert rig.hall.run_ms(40_000, lambda: PairQuiet() in rig.station.events)
    silent.plug_in()
    rig.wait_joined()
    assert all_are_heard(rig, rig.terminals)


def test_a_pair_that_is_drowned_altogether_names_who_was_polled_first_and_recovers() -> None:
    rig = RigHall(5)
    rig.wait_joined()
    rig.hall.run_ms(2_000)
    deaf = DeafBabbler(rig.hall, on_ms=500, off_ms=0)
    deaf.plug_in()
    assert rig.hall.run_ms(30_000, lambda: any(isinstance(e, PairJammed) for e in rig.station.events))
    jammed = next(event for event in rig.station.events if isinstance(event, PairJammed))
    assert set(jammed.suspects) == {one.unit for one in rig.terminals}
    deaf.pull()
    assert rig.hall.run_ms(40_000, lambda: PairQuiet() in rig.station.events)
    rig.wait_joined()
    assert all_are_heard(rig, rig.terminals)


@pytest.mark.slow
@pytest.mark.parametrize("noise", [HallNoise(flips=2e-4), HallNoise(hold_ms=16, flips=1e-4)])
def test_noise_alone_accuses_nobody(noise: HallNoise) -> None:
    rig = RigHall(6, noise)
    rig.wait_joined()
    for _ in range(12):
        for one in rig.terminals:
            one.say(bytes(300))
        rig.hall.run_ms(1_000)
    assert babblers(rig) == []
