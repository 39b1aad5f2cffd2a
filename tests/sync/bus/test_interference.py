"""Terminals that send without being polled, and second stations, are detected, and all others continue."""

import abc
import asyncio
import random

import pytest

from base.errors import OurFault
from sync.bus.admission_control import FIRST_SHUN_MS
from sync.bus.frame import (
    MOST_TERMINALS,
    BusFrame,
    BusFrameKind,
    BusFrameReader,
    Invitation,
    burst,
    invitation_bytes,
)
from sync.bus.interference import ReignWatch, RivalWatch, Suspects
from sync.bus.master import BusMaster
from sync.bus.members import Babbled, PairJammed, PairQuiet, SecondStation, StationAlone
from sync.bus.timing import BusTiming
from sync.station import bus as station_bus
from sync.station.bus import BusSupervisor, StationBus
from tests.rigs.bus_hall import BusHall, HallNoise
from tests.rigs.bus_units import RigHall, RigStation, RigTerminal, joined_hall
from tests.sync.bus.test_hall import check_all_is_delivered, check_streams

_EVERY_MS = 60


class _Babbler(RigTerminal, abc.ABC):
    """A faulty terminal that sends unsolicited bytes while it is switched on."""

    is_on = False
    _babble_ms = 0

    def deadline_ms(self, now_ms: int) -> int | None:
        proper = super().deadline_ms(now_ms)
        if not self.is_on:
            return proper
        return self._babble_ms if proper is None else min(proper, self._babble_ms)

    def to_line(self, now_ms: int) -> bytes:
        said = super().to_line(now_ms)
        if said or not self.is_on or now_ms < self._babble_ms:
            return said
        self._babble_ms = now_ms + _EVERY_MS
        return self.babble(now_ms)

    @abc.abstractmethod
    def babble(self, now_ms: int) -> bytes:
        """Return the unsolicited bytes of this unit."""


class FrameBabbler(_Babbler):
    """A terminal that repeats valid frames with its own address until it is banned."""

    def babble(self, now_ms: int) -> bytes:
        del now_ms
        if not self.slave.is_up:
            return b""
        return burst(BusFrame(BusFrameKind.DONE, self.slave.address, 77, self.slave.lease, payload=bytes(2)))


class NoiseBabbler(_Babbler):
    """A terminal that sends invalid bytes until it is silenced."""

    def babble(self, now_ms: int) -> bytes:
        return (
            b""
            if self.slave._is_hushed(now_ms) or self.slave._is_shunned(now_ms)
            else self._chance.randbytes(24)
        )


class DeafBabbler:
    """A broken transceiver that alternates noise and silence, whatever it receives."""

    def __init__(self, hall: BusHall, on_ms: int, off_ms: int) -> None:
        self._hall = hall
        self._on_ms = on_ms
        self._off_ms = off_ms
        self._chance = random.Random(5)
        self._next_ms = 0

    def plug_in(self) -> None:
        self._hall.plug("deaf", self, lambda _: self._next_ms)

    def pull(self) -> None:
        self._hall.pull("deaf")

    def receive(self, data: bytes, now_ms: int) -> None: ...

    def to_line(self, now_ms: int) -> bytes:
        if now_ms < self._next_ms:
            return b""
        self._next_ms = now_ms + self._on_ms + self._off_ms
        return self._chance.randbytes(max(1, int(self._on_ms * 11.5)))


A, B, C = b"a", b"b", b"c"


def test_suspects_are_told_when_they_change_and_when_all_is_well() -> None:
    suspects = Suspects(lambda _: False)
    assert suspects.noisy((A, B)) == PairJammed((A, B))
    assert suspects.noisy((A, B)) is None
    assert suspects.noisy((B, A)) == PairJammed((B, A))
    assert suspects.quiet() == PairQuiet()
    assert suspects.quiet() is None


def test_who_was_lost_stays_a_suspect_until_it_is_heard() -> None:
    here: set[bytes] = set()
    suspects = Suspects(here.__contains__)
    suspects.suspect(C)
    assert suspects.noisy((A,)) == PairJammed((A, C))
    here.add(C)
    assert suspects.noisy((A,)) == PairJammed((A,))


def test_no_more_are_told_than_a_pair_has() -> None:
    suspects = Suspects(lambda _: False)
    for number in range(MOST_TERMINALS + 9):
        suspects.suspect(bytes([number]))
    report = suspects.noisy(())
    assert report is not None
    assert len(report.suspects) == MOST_TERMINALS


ADAPTERS = HallNoise(hold_ms=16)


def babblers(rig: RigHall) -> list[object]:
    return [event for event in rig.station.events if isinstance(event, Babbled | PairJammed | PairQuiet)]


def all_are_heard(rig: RigHall, terminals: list[RigTerminal], most_ms: int = 8_000) -> bool:
    """Return whether each terminal can now send something."""
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
    rig = joined_hall(6)
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
    rig = joined_hall(5)
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
    rig = joined_hall(6, noise)
    for _ in range(12):
        for one in rig.terminals:
            one.say(bytes(300))
        rig.hall.run_ms(1_000)
    assert babblers(rig) == []


class OtherStation(RigStation):
    name = "other"


@pytest.mark.by_day(1)
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_both_stations_say_so_and_accuse_no_terminal_and_all_is_well_when_one_is_gone(seed: int) -> None:
    rig = joined_hall(5, HallNoise(hold_ms=seed % 3), seed=seed)
    other = OtherStation(rig.hall, rig.timing, seed + 100)
    for terminal in rig.terminals:
        terminal.say(bytes(400))
    both = (rig.station, other)
    assert rig.hall.run_ms(30_000, lambda: all(SecondStation() in station.events for station in both))
    rig.hall.run_ms(8_000)
    for station in both:
        assert not [event for event in station.events if isinstance(event, PairJammed | Babbled)]
    assert any(terminal.slave.hears_two_stations(rig.hall.now_ms) for terminal in rig.terminals)
    rig.hall.pull("other")
    assert rig.hall.run_ms(40_000, lambda: StationAlone() in rig.station.events)
    rig.wait_joined()
    for terminal in rig.terminals:
        terminal.say(b"still here")
    rig.hall.run_ms(8_000)
    rig.station.former += other.leases.values()
    check_streams(rig)
    check_all_is_delivered(rig)


def test_a_station_that_hears_itself_is_alone() -> None:
    master = BusMaster(7, BusTiming(), lambda _: 0)
    reader, sent = BusFrameReader(), list[BusFrameKind]()
    for now_ms in range(0, 60_000, 5):
        said = master.to_line(now_ms)
        sent += (frame.kind for frame in reader.feed(said))
        master.receive(said, now_ms)
    assert sent.count(BusFrameKind.INVITE) > 10
    assert master.events() == ()


def test_what_an_adapter_kept_of_the_last_life_is_no_second_station() -> None:
    watch = RivalWatch(7)
    assert not watch.on_invitation(6, 0)
    assert not watch.on_invitation(6, 20)
    assert not watch.is_gone(60_000)
    assert not watch.on_invitation(6, 61_000)
    assert watch.on_invitation(6, 61_500)
    assert not watch.is_gone(70_000)
    assert watch.is_gone(80_000)


def test_a_station_that_starts_again_is_one_station_for_a_terminal() -> None:
    watch = ReignWatch()
    for reign, now_ms in ((1, 0), (1, 500), (2, 3_000), (3, 6_000), (4, 9_000)):
        watch.on_invitation(reign, now_ms)
        assert not watch.hears_two(now_ms)
    watch.on_invitation(3, 9_500)
    assert watch.hears_two(9_500)
    assert not watch.hears_two(60_000)


def test_a_second_station_that_another_version_wrote_is_no_error() -> None:
    master = BusMaster(7, BusTiming(), lambda _: 0)
    master.receive(burst(BusFrame(BusFrameKind.INVITE, 0, 0, payload=b"?")), 0)
    assert master.events() == ()
    for now_ms in (9, 600):
        invitation = invitation_bytes(Invitation(1, 4, 9, 0))
        master.receive(burst(BusFrame(BusFrameKind.INVITE, 0, 0, payload=invitation)), now_ms)
    assert master.events() == (SecondStation(),)


class _Broken(StationBus):
    """A pair on which every turn fails by an error of ours."""

    def __init__(self) -> None:
        self.name = "pair"

    def open(self) -> None:
        return

    async def close(self) -> None:
        return

    async def next(self) -> None:  # type: ignore[override]
        raise OurFault("the thread of the bus failed: KeyError(3)")


@pytest.mark.slow
def test_a_pair_is_opened_again_after_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(station_bus, "_REOPEN_S", 0.0)
    made: list[StationBus] = []

    def make() -> StationBus:
        made.append(_Broken())
        return made[-1]

    async def kept() -> None:
        keeper = asyncio.ensure_future(BusSupervisor(make, serve=_nobody, owner=_Nobody()).run())
        for _ in range(40):
            await asyncio.sleep(0)
        assert not keeper.done()
        keeper.cancel()

    asyncio.run(kept())
    assert len(made) > 1


async def _nobody(_: object) -> None:
    return


class _Nobody:
    def alarm(self, terminal: str, problem: str) -> None:
        raise AssertionError(terminal, problem)

    def bus_alarm(self, device: str, problem: str) -> None:
        raise AssertionError(device, problem)
