"""The oracle itself: it reports each kind of planted fault, and nothing else."""

from collections.abc import Callable

import msgspec
import pytest

from sync.protocol.entry import Entry, Epoch, StreamId
from tests.soak.oracle import JournalView, StationView, first_difference
from tests.soak.virtual_disk import chained

LIFE, STATION = Epoch("a" * 16), Epoch("5" * 16)
TABLES = (StreamId("table/1"), StreamId("table/2"))
ORDERS = (StreamId("orders/1"), StreamId("orders/2"))
Hall = tuple[tuple[JournalView, ...], StationView]


def chain(stream: StreamId, epoch: Epoch, *raws: bytes) -> tuple[Entry, ...]:
    return tuple(chained(stream, epoch, raws))


def hall() -> Hall:
    """Return two terminals with three entries and two orders each, all of it transferred."""
    raws, orders = (b"a", b"b", b"c"), (b"x", b"y")
    journals = tuple(
        JournalView(
            table,
            LIFE,
            raws,
            down,
            tuple((STATION, seq, raw) for seq, raw in enumerate(orders, 1)),
            saved=3,
            received=3,
            said=raws,
        )
        for table, down in zip(TABLES, ORDERS, strict=True)
    )
    entries = sum((chain(table, LIFE, *raws) for table in TABLES), ())
    own = sum((chain(down, STATION, *orders) for down in ORDERS), ())
    acknowledged = {(table, LIFE): 3 for table in TABLES}
    return journals, StationView(STATION, entries + own, (), acknowledged)


def with_journal(views: Hall, **changes: object) -> Hall:
    (first, *others), station = views
    return (msgspec.structs.replace(first, **changes), *others), station


def with_entries(views: Hall, change: Callable[[list[Entry]], None]) -> Hall:
    journals, station = views
    entries = list(station.entries)
    change(entries)
    return journals, msgspec.structs.replace(station, entries=tuple(entries))


def with_station(views: Hall, **changes: object) -> Hall:
    return views[0], msgspec.structs.replace(views[1], **changes)


def another(entry: Entry, **changes: object) -> Entry:
    return msgspec.structs.replace(entry, **changes)


def test_a_hall_in_which_all_was_moved_keeps_the_promise() -> None:
    assert first_difference(*hall(), settled=True) is None


def test_an_empty_hall_keeps_the_promise() -> None:
    assert first_difference((), StationView(STATION, ()), settled=True) is None


def test_what_is_still_owed_is_no_difference_until_all_had_time() -> None:
    views = with_entries(hall(), lambda entries: entries.__delitem__(2))
    views = with_station(views, acknowledged={(TABLES[0], LIFE): 2})
    assert first_difference(*views, settled=False) is None
    assert first_difference(*views, settled=True) == (
        f"table/1 (epoch {LIFE}): the station has 2 entries, the journal 3"
    )


def swap_first_two(entries: list[Entry]) -> None:
    entries[0], entries[1] = entries[1], entries[0]


def alter(entries: list[Entry]) -> None:
    entries[0:3] = chain(TABLES[0], LIFE, b"a", b"B", b"c")


def flip(entries: list[Entry]) -> None:
    entries[1] = another(entries[1], raw=b"B")


def stranger(entries: list[Entry]) -> None:
    entries.extend(chain(StreamId("table/9"), LIFE, b"?"))


def one_more(entries: list[Entry]) -> None:
    entries[0:3] = chain(TABLES[0], LIFE, b"a", b"b", b"c", b"d")


PLANTED: dict[str, tuple[Callable[[], Hall], str]] = {
    "an entry lost that was acknowledged": (
        lambda: with_entries(hall(), lambda entries: entries.__delitem__(2)),
        "3 were acknowledged, the station has 2",
    ),
    "an entry lost in the middle": (
        lambda: with_entries(hall(), lambda entries: entries.__delitem__(1)),
        "entry 2 is missing at the station before 3",
    ),
    "an entry twice": (
        lambda: with_entries(hall(), lambda entries: entries.append(entries[1])),
        "entry 2 twice, or out of order",
    ),
    "two entries in another order": (
        lambda: with_entries(hall(), swap_first_two),
        "entry 1 is missing at the station before 2",
    ),
    "other bytes, chained anew": (lambda: with_entries(hall(), alter), "entry 2 at the station is not what"),
    "a bit flipped": (lambda: with_entries(hall(), flip), "entry 2 at the station breaks the chain"),
    "an entry that nobody wrote": (lambda: with_entries(hall(), stranger), "1 entries that no journal has"),
    "an entry more than the journal has": (
        lambda: with_entries(hall(), one_more),
        "entry 4 at the station is not what the journal has",
    ),
    "saved and gone": (
        lambda: with_journal(hall(), raws=(b"a", b"b")),
        "3 were shown as saved, the journal has 2",
    ),
    "saved, and something else is there": (
        lambda: with_journal(hall(), raws=(b"a", b"?", b"c")),
        "entry 2 in the journal is not what the app handed over",
    ),
    "saved twice": (
        lambda: with_journal(hall(), raws=(b"a", b"b", b"c", b"c")),
        "the journal has 4, the app handed over 3",
    ),
    "shown as received before it was saved": (
        lambda: with_journal(hall(), saved=2),
        "3 were shown as received, only 2 as saved",
    ),
    "an order lost": (
        lambda: with_journal(hall(), orders=((STATION, 1, b"x"),)),
        "the terminal has 1 orders of 2",
    ),
    "an order lost in the middle": (
        lambda: with_journal(hall(), orders=((STATION, 2, b"y"),)),
        "order 1 is missing or doubled at the terminal",
    ),
    "an order twice": (
        lambda: with_journal(hall(), orders=((STATION, 1, b"x"), (STATION, 1, b"x"), (STATION, 2, b"y"))),
        "order 2 is missing or doubled at the terminal (1 came)",
    ),
    "an order with other bytes": (
        lambda: with_journal(hall(), orders=((STATION, 1, b"x"), (STATION, 2, b"Y"))),
        "order 2 at the terminal is not what the station wrote",
    ),
    "an order that no station wrote": (
        lambda: with_journal(hall(), orders=((LIFE, 1, b"x"),)),
        "order 1 at the terminal is not what the station wrote",
    ),
    "in quarantine although it agrees": (
        lambda: with_station(hall(), quarantined=hall()[1].entries[:1]),
        "entry 1 is in quarantine and in the stream",
    ),
    "in quarantine twice": (
        lambda: with_station(hall(), quarantined=chain(TABLES[0], LIFE, b"?") * 2),
        "entry 1 is in quarantine twice",
    ),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_named(fault: str) -> None:
    planted, said = PLANTED[fault]
    assert said in (first_difference(*planted(), settled=True) or "nothing")


def test_a_clone_that_was_refused_owes_for_ever_and_its_entries_may_be_in_quarantine() -> None:
    journals, station = hall()
    clone = msgspec.structs.replace(
        journals[0], raws=(b"a", b"B"), said=None, saved=2, received=1, refused=True
    )
    kept = chain(TABLES[0], LIFE, b"a", b"B")[1:]
    views = (*journals, clone), msgspec.structs.replace(station, quarantined=kept)
    assert first_difference(*views, settled=True) is None


def test_orders_of_a_lost_station_count_as_written() -> None:
    lost = Epoch("6" * 16)
    journals, station = hall()
    first = msgspec.structs.replace(journals[0], orders=((lost, 1, b"o"), *journals[0].orders))
    changed = (first, *journals[1:])
    assert "order 1 at the terminal is not what" in (first_difference(changed, station, settled=True) or "")
    known = msgspec.structs.replace(station, orders={(ORDERS[0], lost): (b"o", b"p")})
    assert first_difference(changed, known, settled=True) is None
