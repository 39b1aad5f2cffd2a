"""Group commits, in which a refusal, a bug or a failing owner costs nobody else an acknowledgement."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence

import pytest

from base.errors import Unavailable
from sync.protocol.entry import Entry, Epoch, Quarantined, StreamId
from sync.station.group_commit import CommitLane, GroupCommit
from tests.rigs.ends import MemoryStore, hashes_of

pytestmark = pytest.mark.faults
Insert = Callable[[Sequence[Entry]], tuple[tuple[Entry, ...], tuple[Quarantined, ...]]]


class Owner:
    """An owner that records stored entries, or fails if it is ``deaf``."""

    def __init__(self) -> None:
        self.stored: list[Entry] = []
        self.bad: list[Quarantined] = []
        self.is_deaf = False

    def entries_stored(self, entries: Sequence[Entry]) -> None:
        if self.is_deaf:
            raise ZeroDivisionError
        self.stored.extend(entries)

    def on_quarantine(self, quarantined: Sequence[Quarantined]) -> None:
        self.bad.extend(quarantined)


class Stage:
    """A group commit with a store whose calls are recorded and can be made to fail."""

    def __init__(self) -> None:
        self.store, self.owner = MemoryStore(), Owner()
        self.calls: list[list[bytes]] = []
        self.fails: Callable[[Sequence[Entry]], Exception | None] = lambda _: None
        insert: Insert = self.store.insert_remote

        def noted(entries: Sequence[Entry]) -> tuple[tuple[Entry, ...], tuple[Quarantined, ...]]:
            self.calls.append([entry.raw for entry in entries])
            error = self.fails(entries)
            if error is not None:
                raise error
            return insert(entries)

        self.store.insert_remote = noted  # type: ignore[method-assign]  # where a disk fails
        self.commit = GroupCommit(self.store, self.owner)


def staged(play: Callable[[Stage], Coroutine[object, object, None]]) -> Callable[[], None]:
    """Make a test of a play with a started group commit."""

    async def run() -> None:
        stage = Stage()
        stage.commit.start()
        await play(stage)
        await stage.commit.stop()

    return lambda: asyncio.run(run())


def chain(stream: str, *raws: bytes) -> tuple[Entry, ...]:
    numbered = enumerate(zip(raws, hashes_of(*raws), strict=True), 1)
    return tuple(Entry(StreamId(stream), Epoch("e"), seq, raw, digest) for seq, (raw, digest) in numbered)


def has(raw: bytes, error: Exception) -> Callable[[Sequence[Entry]], Exception | None]:
    return lambda entries: error if any(entry.raw == raw for entry in entries) else None


@staged
async def test_what_comes_together_is_committed_together(stage: Stage) -> None:
    lanes = [CommitLane() for _ in range(20)]
    all_agreed = await asyncio.gather(
        *(stage.commit.durable(lane, chain(f"t{i}", b"%d" % i)) for i, lane in enumerate(lanes))
    )
    assert all(all_agreed)
    assert len(stage.calls) == 1
    assert len(stage.owner.stored) == 20


@staged
async def test_a_commit_holds_no_more_than_512_entries_unless_one_hands_in_more(stage: Stage) -> None:
    many = chain("many", *(b"%d" % i for i in range(600)))
    few = [chain(f"t{i}", b"a", b"b", b"c") for i in range(180)]
    await asyncio.gather(*(stage.commit.durable(CommitLane(), entries) for entries in (many, *few)))
    assert [len(call) for call in stage.calls] == [600, 510, 30]


@staged
async def test_poison_of_one_connection_is_refused_and_all_others_are_stored(stage: Stage) -> None:
    stage.fails = has(b"poison", ZeroDivisionError("bug"))
    good, bad = CommitLane(), CommitLane()
    entries = chain("bad", b"fine", b"poison", b"behind")
    results = await asyncio.gather(
        stage.commit.durable(bad, entries[:1]),
        stage.commit.durable(good, chain("good", b"1")),
        stage.commit.durable(bad, entries[1:2]),
        stage.commit.durable(bad, entries[2:]),
        return_exceptions=True,
    )
    assert list(results)[:2] == [True, True]
    assert all(isinstance(result, Unavailable) for result in results[2:])
    with pytest.raises(Unavailable, match="cannot be stored: bug"):
        await stage.commit.durable(bad, entries[2:])
    assert await stage.commit.durable(good, chain("good", b"1", b"2")[1:])
    assert [entry.raw for entry in stage.owner.stored] == [b"fine", b"1", b"2"]
    assert not stage.owner.bad


@staged
async def test_after_a_refusal_nothing_more_of_a_lane_is_stored_not_even_what_comes_at_that_moment(
    stage: Stage,
) -> None:
    stage.store.refuses = 1
    lane = CommitLane()
    entries = chain("t", b"1", b"2", b"3")
    first = asyncio.ensure_future(stage.commit.durable(lane, entries[:1]))
    while not lane.refusal:  # noqa: ASYNC110 (the very moment is meant)
        await asyncio.sleep(0)
    # The line has not been told yet, and goes on.
    with pytest.raises(Unavailable, match="no space left"):
        await stage.commit.durable(lane, entries[1:])
    with pytest.raises(Unavailable, match="no space left"):
        await first
    assert stage.store.head(StreamId("t")) is None
    assert await stage.commit.durable(CommitLane(), entries)
    assert not stage.owner.bad


@staged
async def test_an_owner_that_fails_at_the_news_does_not_keep_acks_back(stage: Stage) -> None:
    stage.owner.is_deaf = True
    assert await stage.commit.durable(CommitLane(), chain("t", b"1"))
    stage.owner.is_deaf = False
    assert await stage.commit.durable(CommitLane(), chain("t", b"1", b"2"))
    assert [entry.raw for entry in stage.owner.stored] == [b"2"]


@pytest.mark.parametrize("turns", range(8))
@pytest.mark.parametrize("error", [None, Unavailable("no space left")])
def test_stopping_ends_in_whatever_state_the_worker_is(turns: int, error: Exception | None) -> None:
    """Stop after each number of turns of the event loop: in the pause before a commit, in it, after it."""

    async def run() -> None:
        stage = Stage()
        stage.fails = lambda _: error
        stage.commit.start()
        waiting = asyncio.create_task(stage.commit.durable(CommitLane(), chain("t", b"1")))
        for _ in range(turns):
            await asyncio.sleep(0.001)
        async with asyncio.timeout(5):
            await stage.commit.stop()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)

    asyncio.run(run())


@staged
async def test_stopping_lets_the_running_commit_end(stage: Stage) -> None:
    waiting = asyncio.ensure_future(stage.commit.durable(CommitLane(), chain("t", b"1")))
    while not stage.calls:  # noqa: ASYNC110 (the very moment is meant)
        await asyncio.sleep(0)
    await stage.commit.stop()
    assert await waiting
    assert stage.store.head(StreamId("t")) is not None


@staged
async def test_the_store_gets_quiet_moments_and_no_others(stage: Stage) -> None:
    lane, (*entries, last) = CommitLane(), chain("t", *(bytes([number]) for number in range(41)))
    for entry in entries:
        await stage.commit.durable(lane, (entry,))
        await asyncio.sleep(0.01)
    # The station was quiet before the first entry at most.
    assert stage.store.checkpoints <= 1
    seen = stage.store.checkpoints
    await asyncio.sleep(0.6)
    assert stage.store.checkpoints == seen + 1
    assert await stage.commit.durable(lane, (last,))
