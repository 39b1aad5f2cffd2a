"""One suite for every way from a journal to the station: wires, codes on a screen, a USB drive.

The oracle is always the same: the station has each of the journals' entries once, unchanged and in order.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest

from base.signing import signer
from demo.shaped_line import ShapedLine
from sync.ports.port import StreamPort
from sync.protocol.entry import ClockReading, Entry, StreamId, content_bytes, orders_of
from sync.protocol.journal import Journal
from sync.protocol.parcel import CarriedEntries, ParcelAssembler, open_parcel, part_of, parts_of
from sync.terminal.agent_contract import PackEntries
from sync.terminal.agent_steps import Packer
from sync.terminal.routes import StationRoute
from sync.tls.certificates import fingerprint_of_pem, own_identity
from tests.rigs.ends import BAUD, Station, Terminal, serial

pytestmark = pytest.mark.conformance
READING = ClockReading(1, 0, 0, trusted=False)


class Unit:
    """A terminal's folder, with its key and a closed journal."""

    def __init__(self, folder: Path, station: Station) -> None:
        self.folder = folder
        self.key, certificate = own_identity(folder, "terminal")
        self.certificate = certificate.read_text()
        self.id = fingerprint_of_pem(self.certificate, "own")
        self.stream = StreamId(f"table/{self.id}")
        station.known[self.id] = self.certificate

    def journal(self) -> Journal:
        return Journal(self.folder / "journal.db", self.stream, orders_of(self.id), "board-1")

    def plays(self, count: int, size: int = 30) -> None:
        """Append entries to the journal."""
        chance = random.Random(count)
        with self.journal() as journal:
            journal.append(
                tuple(
                    content_bytes(READING, msgspec.msgpack.encode(chance.randbytes(size)))
                    for _ in range(count)
                )
            )

    def entries(self) -> list[Entry]:
        with self.journal() as journal:
            raws, epoch = journal.own(), journal.facts.epoch
            return [
                Entry(self.stream, epoch, seq, raw, journal.hash_at(seq) or b"")
                for seq, raw in enumerate(raws, 1)
            ]


Deliver = Callable[[Unit, Station], None]


class Hall:
    """A station, some units, and one way between them."""

    def __init__(self, folder: Path, delivers: Deliver, station: Station) -> None:
        self.folder = folder
        self.station = station
        self._way = delivers

    def unit(self, name: str = "t") -> Unit:
        return Unit(self.folder / name, self.station)

    def delivers(self, unit: Unit) -> None:
        self._way(unit, self.station)

    def holds(self, *units: Unit) -> None:
        """Check the oracle."""
        stored = sorted(self.station.store.rows.values(), key=lambda entry: (entry.stream, entry.seq))
        of_terminals = [entry for entry in stored if entry.stream.startswith("table/")]
        assert of_terminals == [
            entry for unit in sorted(units, key=lambda unit: unit.id) for entry in unit.entries()
        ]
        assert not self.station.quarantine


def by_wire(unit: Unit, station: Station, ways: tuple[StationRoute, ...] | None = None) -> None:
    """Run the unit until the station has acknowledged everything."""
    last = len(unit.entries())
    terminal = Terminal(unit.folder, station, token="", ways=ways)
    terminal.agent.start()
    try:
        if last:
            terminal.wait_received(last)
    finally:
        terminal.agent.stop()


def parcel_of(unit: Unit) -> bytes:
    packer = Packer(unit.id, signer(unit.key.read_bytes(), "key"))
    with unit.journal() as journal:
        return packer.pack(journal, PackEntries(1)).parcel


def taken_in(parcel: bytes, unit: Unit, station: Station) -> None:
    content = open_parcel(parcel, unit.certificate, "parcel").content
    assert isinstance(content, CarriedEntries)
    assert station.call(station.hub.import_entries(content.entries(unit.stream)))


def by_codes(unit: Unit, station: Station) -> None:
    """Import parts in any order, some of them twice, and among them those of an older incomplete parcel."""
    parcel = parcel_of(unit)
    if not parcel:
        return
    chance = random.Random(7)
    texts = [*parts_of(parcel), *parts_of(bytes(2_000))[1:]]
    texts += chance.sample(texts, len(texts) // 3)
    chance.shuffle(texts)
    gathering = ParcelAssembler()
    for text in texts:
        whole = gathering.add(part_of(text, "screen"))
        if whole is not None:
            taken_in(whole, unit, station)


def by_stick(unit: Unit, station: Station) -> None:
    parcel = parcel_of(unit)
    if parcel:
        file = unit.folder / "a.parcel"
        file.write_bytes(parcel)
        taken_in(file.read_bytes(), unit, station)


def serially(unit: Unit, station: Station) -> None:
    by_wire(unit, station, (StationRoute("serial", lambda: serial(unit.folder.parent / "a")),))


@pytest.fixture(params=[by_wire, serially, by_codes, by_stick], ids=lambda way: str(way.__name__))
def hall(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hall]:
    with ExitStack() as stack:
        station = Station(tmp_path)
        cables: list[tuple[str, Callable[[], StreamPort]]] = []
        if request.param is serially:
            stack.enter_context(ShapedLine(tmp_path / "a", tmp_path / "b", baud=BAUD, flips=1e-5))
            cables.append(("b", lambda: serial(tmp_path / "b")))
        station.start(0, cables)
        yield Hall(tmp_path, request.param, station)
        station.stop()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("counts", "size"),
    [
        pytest.param([300], 30, id="all once and in order"),
        pytest.param([0], 30, id="of an empty journal nothing"),
        pytest.param([40, 0], 30, id="delivered twice it is there once"),
        pytest.param([3], 20_000, id="large entries whole"),
    ],
)
def test_what_was_written_arrives(hall: Hall, counts: list[int], size: int) -> None:
    unit = hall.unit()
    for count in counts:
        unit.plays(count, size)
        hall.delivers(unit)
        hall.holds(unit)


@pytest.mark.by_day(2)
@pytest.mark.slow
def test_what_was_written_meanwhile_follows_on_what_is_there(hall: Hall) -> None:
    unit = hall.unit()
    for count in (1, 7, 90):
        unit.plays(count)
        hall.delivers(unit)
        hall.holds(unit)


@pytest.mark.by_day(2)
@pytest.mark.slow
def test_two_terminals_do_not_mix(hall: Hall) -> None:
    one, other = hall.unit("one"), hall.unit("other")
    for count in (5, 12):
        one.plays(count)
        other.plays(2 * count)
        hall.delivers(one)
        hall.delivers(other)
    hall.holds(one, other)


@pytest.mark.by_day(2)
@pytest.mark.slow
def test_every_way_goes_on_where_another_ended(hall: Hall) -> None:
    unit = hall.unit("t")
    for other in (by_codes, by_stick, by_wire):
        unit.plays(20)
        hall.delivers(unit)
        unit.plays(20)
        other(unit, hall.station)
        hall.delivers(unit)
        hall.holds(unit)
