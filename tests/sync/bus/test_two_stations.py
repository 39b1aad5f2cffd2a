"""Two stations on one pair of wires by mistake: both say so, nobody is accused, no stream is altered."""

import asyncio

import pytest

from base.errors import OurFault
from sync.bus.events import Babbled, PairJammed, SecondStation, StationAlone
from sync.bus.frame import BusFrame, BusFrameKind, BusFrameReader, Invitation, burst, invitation_bytes
from sync.bus.interference import ReignWatch, RivalWatch
from sync.bus.master import BusMaster
from sync.bus.timing import BusTiming
from sync.station import bus as station_bus
from sync.station.bus import BusSupervisor, StationBus
from tests.rigs.bus_hall import HallNoise
from tests.rigs.bus_units import RigHall, RigStation
from tests.sync.bus.test_hall import check_all_is_delivered, check_streams


class OtherStation(RigStation):
    """A second station on the same pair."""

    name = "other"


@pytest.mark.by_day(1)
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_both_stations_say_so_and_accuse_no_terminal_and_all_is_well_when_one_is_gone(seed: int) -> None:
    rig = RigHall(5, HallNoise(hold_ms=seed % 3), seed=seed)
    rig.wait_joined()
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
    check_streams_of_both(rig, other)
    check_all_is_delivered(rig)


def check_streams_of_both(rig: RigHall, other: RigStation) -> None:
    rig.station.former += other.leases.values()
    check_streams(rig)


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
    """A pair whose turns end by an error of ours."""

    def __init__(self) -> None:
        self.name = "pair"

    def open(self) -> None:
        return

    async def close(self) -> None:
        return

    async def next(self) -> None:  # type: ignore[override]
        raise OurFault("keeping turns: KeyError(3)")


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
