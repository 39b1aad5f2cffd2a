"""Group commits, in which a refusal, a bug or a failing owner costs nobody else an acknowledgement."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import pytest

from base.errors import Unavailable
from sync.protocol.entry import GENESIS, Entry, Epoch, Quarantined, StreamId, chained_hash
from sync.station.group_commit import CommitLane, GroupCommit
from tests.rigs.ends import MemoryStore

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


@asynccontextmanager
async def staged() -> AsyncIterator[Stage]:
    stage = Stage()
    stage.commit.start()
    yield stage
    await stage.commit.stop()


def chain(stream: str, *raws: bytes) -> tuple[Entry, ...]:
    digest, entries = GENESIS, []
    for seq, raw in enumerate(raws, 1):
        digest = chained_hash(digest, raw)
        entries.append(Entry(StreamId(stream), Epoch("e"), seq, raw, digest))
    return tuple(entries)


def has(raw: bytes, error: Exception) -> Callable[[Sequence[Entry]], Exception | None]:
    return lambda entries: error if any(entry.raw == raw for entry in entries) else None


def test_what_comes_together_is_committed_together() -> None:
    async def main() -> None:
        async with staged() as stage:
            lanes = [CommitLane() for _ in range(20)]
            all_agreed = await asyncio.gather(
                *(stage.commit.durable(lane, chain(f"t{i}", b"%d" % i)) for i, lane in enumerate(lanes))
            )
            assert all(all_agreed)
            assert len(stage.calls) == 1
            assert len(stage.owner.stored) == 20

    asyncio.run(main())


def test_a_commit_holds_no_more_than_512_entries_unless_one_hands_in_more() -> None:
    async def main() -> None:
        async with staged() as stage:
            many = chain("many", *(b"%d" % i for i in range(600)))
            few = [chain(f"t{i}", b"a", b"b", b"c") for i in range(180)]
            await asyncio.gather(*(stage.commit.durable(CommitLane(), entries) for entries in (many, *few)))
            assert [len(call) for call in stage.calls] == [600, 510, 30]

    asyncio.run(main())


def test_poison_of_one_connection_is_refused_and_all_others_are_stored() -> None:
    async def main() -> None:
        async with staged() as stage:
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

    asyncio.run(main())


def test_after_a_refusal_nothing_more_of_a_lane_is_stored_not_even_what_comes_at_that_moment() -> None:
    async def main() -> None:
        async with staged() as stage:
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

    asyncio.run(main())


def test_an_owner_that_fails_at_the_news_does_not_keep_acks_back() -> None:
    async def main() -> None:
        async with staged() as stage:
            stage.owner.is_deaf = True
            assert await stage.commit.durable(CommitLane(), chain("t", b"1"))
            stage.owner.is_deaf = False
            assert await stage.commit.durable(CommitLane(), chain("t", b"1", b"2"))
            assert [entry.raw for entry in stage.owner.stored] == [b"2"]

    asyncio.run(main())


def test_stopping_lets_the_running_commit_end() -> None:
    async def main() -> None:
        async with staged() as stage:
            waiting = asyncio.ensure_future(stage.commit.durable(CommitLane(), chain("t", b"1")))
            while not stage.calls:  # noqa: ASYNC110 (the very moment is meant)
                await asyncio.sleep(0)
            await stage.commit.stop()
            assert await waiting
        assert stage.store.head(StreamId("t")) is not None

    asyncio.run(main())


def test_the_store_gets_quiet_moments_and_no_others() -> None:
    async def played() -> None:
        epoch = Epoch("00000000000000aa")
        async with staged() as stage:
            lane, before = CommitLane(), GENESIS
            for seq in range(1, 41):
                raw = bytes([seq])
                before = chained_hash(before, raw)
                await stage.commit.durable(lane, (Entry(StreamId("t"), epoch, seq, raw, before),))
                await asyncio.sleep(0.01)
            # The station was quiet before the first entry at most.
            assert stage.store.checkpoints <= 1
            seen = stage.store.checkpoints
            await asyncio.sleep(0.6)
            assert stage.store.checkpoints == seen + 1
            raw = b"one more"
            last = chained_hash(before, raw)
            assert await stage.commit.durable(lane, (Entry(StreamId("t"), epoch, 41, raw, last),))

    asyncio.run(played())
