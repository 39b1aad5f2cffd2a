"""The behaviour of every journal, on a card and on the simulated disk, which differ only in their file."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from base.durable_file import DurableFile
from base.errors import BadData, Unavailable
from sync.protocol.entry import GENESIS, Epoch, StreamId
from sync.protocol.journal import Journal, OrdersDisagree
from tests.rigs.ends import hashes_of
from tests.soak.virtual_disk import Card, Faults
from tests.soak.virtual_loop import PowerCut

pytestmark = pytest.mark.conformance

STREAM, ORDERS = StreamId("table/1"), StreamId("orders/1")
At = Callable[..., Journal]


@pytest.fixture
def faults() -> Faults:
    return Faults(Random(7))


@pytest.fixture
def simulated_card(faults: Faults) -> Iterator[Card]:
    with contextlib.closing(Card(faults)) as card:
        yield card


@pytest.fixture(params=["card", "simulated card"])
def at(request: pytest.FixtureRequest, tmp_path: Path, simulated_card: Card) -> At:
    file = DurableFile if request.param == "card" else simulated_card.file

    def journal(board: str = "board") -> Journal:
        return Journal(tmp_path / "journal.db", STREAM, ORDERS, board, file=file)

    return journal


def test_entries_are_numbered_chained_and_there_after_opening_again(at: At) -> None:
    with at() as journal:
        assert journal.append((b"a", b"b")) == 2
        assert journal.append(()) == 2
        first = journal.head()
    with at() as journal:
        assert journal.head() == first
        assert journal.own() == (b"a", b"b")
        assert [journal.hash_at(seq) for seq in range(4)] == [GENESIS, *hashes_of(b"a", b"b"), None]
        assert journal.hash_at(-1) is None
        assert journal.after(1, 5) == (b"b",)
        assert journal.facts.boot == 2


def test_orders_of_a_lost_station_and_of_its_backup_stay_in_the_order_of_arrival(at: At) -> None:
    with at() as journal:
        assert journal.orders_head() is None
        journal.keep_orders(Epoch("z"), 1, (b"1", b"2"), hashes_of(b"1", b"2"))
        journal.keep_orders(Epoch("z"), 1, (b"1", b"2"), hashes_of(b"1", b"2"))
        head = journal.keep_orders(Epoch("a"), 1, (b"3",), hashes_of(b"3"))
        assert (head.epoch, head.seq, head.hash) == ("a", 1, hashes_of(b"3")[0])
    with at() as journal:
        assert journal.orders() == (b"1", b"2", b"3")
        assert len(journal.orders()) == 3
        assert journal.orders_head() == head


def test_how_far_the_station_acknowledged_is_remembered(at: At) -> None:
    with at() as journal:
        assert journal.last_acknowledged() == 0
        journal.note_received(41)
    with at() as journal:
        assert journal.last_acknowledged() == 41


def test_another_board_is_noticed(at: At) -> None:
    with at():
        pass
    with pytest.raises(BadData, match=r"another board \(board, this is other\): a moved card"):
        at("other").open()


def test_a_closed_journal_says_so(at: At) -> None:
    with pytest.raises(Unavailable, match="not open"):
        at().append((b"a",))


def test_another_order_under_a_taken_number_is_kept_beside_and_not_believed(at: At) -> None:
    with at() as journal:
        journal.keep_orders(Epoch("e"), 1, (b"x", b"y"), hashes_of(b"x", b"y"))
        with pytest.raises(OrdersDisagree, match="another order 2") as raised:
            journal.keep_orders(Epoch("e"), 1, (b"x", b"Y", b"z"), hashes_of(b"x", b"Y", b"z"))
        assert raised.value.seq == 2
        assert journal.orders() == (b"x", b"y")
        kept = journal._file.rows("SELECT seq, raw FROM disputed ORDER BY seq")
        assert kept == [(1, b"x"), (2, b"Y"), (3, b"z")]
        head = journal.keep_orders(Epoch("e"), 2, (b"y", b"z"), hashes_of(b"x", b"y", b"z")[1:])
        assert (head.seq, head.hash) == (3, hashes_of(b"x", b"y", b"z")[2])
    with at() as journal:
        assert journal.orders() == (b"x", b"y", b"z")
        assert journal.orders_behind(1) == (b"y", b"z")


def test_the_head_after_keeping_orders_again_is_theirs_and_not_a_later_one(at: At) -> None:
    with at() as journal:
        journal.keep_orders(Epoch("e"), 1, (b"x", b"y"), hashes_of(b"x", b"y"))
        assert journal.keep_orders(Epoch("e"), 1, (b"x",), hashes_of(b"x")).seq == 1


def on_simulated_card(card: Card) -> Journal:
    return Journal(Path("/card/journal.db"), STREAM, ORDERS, "board", file=card.file)


@pytest.mark.faults
@pytest.mark.parametrize(("cut_in", "left"), [(1, 1), (2, 1), (3, 2)])
def test_a_simulated_power_cut_leaves_a_commit_or_nothing(
    faults: Faults, simulated_card: Card, cut_in: int, left: int
) -> None:
    journal = on_simulated_card(simulated_card)
    journal.open()
    journal.append((b"a",))
    faults.cut_in = cut_in
    with pytest.raises(PowerCut):
        journal.append((b"b",))
    journal.open()
    assert journal.own() == (b"a", b"b")[:left]


@pytest.mark.faults
def test_a_simulated_worn_card_may_keep_what_it_reported_as_failed(
    faults: Faults, simulated_card: Card
) -> None:
    journal = on_simulated_card(simulated_card)
    journal.open()
    stored = []
    for _ in range(40):
        faults.worn = True
        with pytest.raises(Unavailable):
            journal.append((b"x",))
        faults.worn = False
        journal.open()
        stored.append(len(journal.own()))
    assert 0 < stored[-1] < 40
