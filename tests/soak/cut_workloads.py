"""The work done while the disk is recorded, and the content expected after a power cut.

Each workload is a list of steps that the seed determines. The recorded program carries them out, and reports
after each one (``done 7``) that it is durable. After a cut, the directory must contain exactly the results of
the reported steps, or those and the next one's.

    python -m tests.soak.cut_workloads journal DIRECTORY SEED STEPS
"""

import functools
import os
import random
import ssl
import sys
from collections.abc import Callable, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from base.clock import SystemClock
from base.errors import BadData, Unavailable
from core.terms import GameId
from station.store.changed_entries import ChainCheck
from station.store.database import Database, sqlite_url
from station.store.game_index import GameRun, PutOff
from station.store.store import Store
from station.store.streams import TERMINALS
from sync.protocol.entry import GENESIS, Entry, Epoch, StreamId, chained_hash
from sync.protocol.journal import Journal, OrdersDisagree
from sync.terminal.agent_steps import AgentSteps
from sync.tls.certificates import own_identity
from tests.soak.virtual_disk import Faults, VirtualStore, chained

T = TypeVar("T")
MARKER = b"done "
_STREAM, _ORDERS = StreamId("table/1"), StreamId("orders/1")
_EPOCHS = (Epoch("a" * 16), Epoch("b" * 16))


class Workload(Protocol):
    """A program whose disk is recorded."""

    def work(self, root: Path, seed: int, steps: int) -> None:
        """Carry out the steps, and report ``done`` after each."""

    def problem(self, root: Path, seed: int, steps: int, marks: Sequence[str]) -> str | None:
        """Return what is wrong in a directory after a cut, given the steps that were reported as durable."""


def tell(*words: object) -> None:
    """Print words by one system call, so that the recording has them in order."""
    os.write(1, b" ".join([MARKER.strip(), *(str(word).encode() for word in words)]) + b"\n")


def chain(raws: Sequence[bytes], previous: bytes = GENESIS) -> list[bytes]:
    hashes = []
    for raw in raws:
        previous = chained_hash(previous, raw)
        hashes.append(previous)
    return hashes


class JournalSteps:
    """The terminal's journal: appends, orders, disagreements, notes, reopening, another board."""

    def work(self, root: Path, seed: int, steps: int) -> None:
        state = _JournalModel(seed)
        journal = self._journal(root, state.board)
        journal.open()
        tell(0)
        for step in range(1, steps + 1):
            board = state.board
            state.step()
            if state.reopens:
                journal.close()
                journal = self._journal(root, state.board)
                journal.open()
            if state.board == board:
                state.do(journal)
            tell(step)
        journal.close()

    def problem(self, root: Path, seed: int, steps: int, marks: Sequence[str]) -> str | None:
        state = _JournalModel(seed)
        for _ in range(len(marks) - 1):
            state.step()
        wanted = [state.content()]
        boards = [state.board]
        if marks and len(marks) <= steps:
            state.step()
            wanted.append(state.content())
            boards.append(state.board)
        with self._journal(root, boards[-1]) as journal:
            content = _content(journal)
            journal.append((b"and on",))
        if content not in wanted:
            return (
                f"after step {len(marks) - 1} of seed {seed}: {_short(content)}; wanted {_short(wanted[0])}"
            )
        return None

    def _journal(self, root: Path, board: str) -> Journal:
        return Journal(root / "journal.db", _STREAM, _ORDERS, board, adopts=True)


_Content = tuple[tuple[bytes, ...], tuple[bytes, ...], int, int]


def _content(journal: Journal) -> _Content:
    disputed = journal._file.rows("SELECT count(*) FROM disputed")[0][0]
    return journal.own(), journal.orders(), journal.last_acknowledged(), disputed


def _short(content: _Content) -> str:
    own, orders, received, disputed = content
    return f"{len(own)} own, {len(orders)} orders, {received} received, {disputed} disputed"


class _JournalModel:
    """The content of the journal after each step. ``do`` carries out a step on the real journal."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(f"journal {seed}")
        self._own: list[bytes] = []
        self._orders: list[list[bytes]] = [[], []]
        self._disputed: set[tuple[int, int, bytes]] = set()
        self._received = 0
        self.board = "board-0"
        self.reopens = False
        self._kind = ""
        self._raws: tuple[bytes, ...] = ()
        self._first = 0
        self._of = 0

    def content(self) -> _Content:
        orders = tuple(self._orders[0] + self._orders[1])
        return tuple(self._own), orders, self._received, len(self._disputed)

    def step(self) -> None:
        """Choose the next step and record its effect."""
        chance = self._chance
        kinds = ["append"] * 8 + ["orders"] * 4 + ["received", "disagree", "reopen"]
        if self.board == "board-0" and len(self._own) > 10:
            kinds.append("board")
        self._kind = chance.choice(kinds)
        sizes = chance.choice(((1, 60), (60, 400), (3_000, 9_000)))
        self._raws = tuple(chance.randbytes(chance.randint(*sizes)) for _ in range(chance.randint(1, 5)))
        self.reopens = self._kind in {"reopen", "board"}
        match self._kind:
            case "append":
                self._own.extend(self._raws)
            case "orders":
                self._of = 1 if self._orders[1] or chance.random() < 0.1 else 0
                self._first = len(self._orders[self._of]) + 1
                self._orders[self._of].extend(self._raws)
            case "received":
                self._received = len(self._own)
            case "disagree":
                self._disagree()
            case "board":
                self.board = "board-1"
            case _:
                pass

    def _disagree(self) -> None:
        self._of = 1 if self._orders[1] else 0
        if not self._orders[self._of]:
            self._kind = "reopen"
            self.reopens = True
            return
        self._first = len(self._orders[self._of])
        self._disputed |= {(self._of, self._first + i, raw) for i, raw in enumerate(self._raws)}

    def do(self, journal: Journal) -> None:
        match self._kind:
            case "append":
                journal.append(self._raws)
            case "received":
                journal.note_received(self._received)
            case "orders" | "disagree":
                before = self._orders[self._of][: self._first - 1]
                hashes = chain(self._raws, chain(before)[-1] if before else GENESIS)
                try:
                    journal.keep_orders(_EPOCHS[self._of], self._first, self._raws, tuple(hashes))
                except OrdersDisagree:
                    assert self._kind == "disagree"
            case _:
                pass


class StoreSteps:
    """The station's store: entries of several terminals, repeated and disagreeing ones, own entries.

    fails: the disk reports errors; refused entries are sent again, as by terminals; no own entries.
    checkpoints: the write-ahead log is moved into the database after about every other step.
    indexes: how often the index of games is written, with random games.
    """

    def __init__(self, *, fails: bool = False, checkpoints: bool = False, indexes: bool = False) -> None:
        self._fails = fails
        self._checkpoints = checkpoints
        self._indexes = indexes

    def work(self, root: Path, seed: int, steps: int) -> None:
        database = Database(sqlite_url(root / "station.sqlite"))
        store = Store(database, lambda: 7)
        epoch = _persistent(store.own_epoch)
        model = VirtualStore(epoch, Faults(random.Random(1)))
        tell(0, epoch)
        chance = random.Random(f"store {seed}")
        for step in range(1, steps + 1):
            self._step(chance, (model, store))
            tell(step)
            draw = chance.random()
            if draw < 0.02:
                database.close()
            elif self._checkpoints and draw < 0.5:
                database.checkpoint()
            if self._indexes and chance.random() < 0.5:
                _index_games(random.Random(f"games {seed} {step}"), store)
        database.close()

    def problem(self, root: Path, seed: int, steps: int, marks: Sequence[str]) -> str | None:
        database = Database(sqlite_url(root / "station.sqlite"))
        try:
            database.open()
            store = Store(database, lambda: 7)
            if bad := store.verify():
                return f"{len(bad)} entries broken"
            stored = [one.entry for one in store.entries_after()], len(store.quarantined_entries())
            if _folded(store) != [(one.stream, one.seq, one.raw) for one in stored[0]]:
                return "a start with the index of games folds something else than is stored"
            store.append_own(_ORDERS, [b"and on"])
            epoch = store.own_epoch()
        finally:
            database.close()
        if not marks:
            return None if stored == ([], 0) else "entries before the first"
        if epoch != marks[0].split()[1]:
            return "another epoch than it had"
        model = VirtualStore(epoch, Faults(random.Random(1)))
        chance = random.Random(f"store {seed}")
        for _ in range(len(marks) - 1):
            self._step(chance, (model,))
            chance.random()
            if self._indexes:
                chance.random()
        wanted = [_stored(model)]
        if len(marks) <= steps:
            self._step(chance, (model,))
            wanted.append(_stored(model))
        if stored not in wanted:
            return f"after step {len(marks) - 1} of seed {seed}: {len(stored[0])}, {stored[1]} in quarantine"
        return None

    def _step(self, chance: random.Random, stores: Sequence[VirtualStore | Store]) -> None:
        """Carry out a step on the model or on the real store."""
        model = stores[0]
        raws = [chance.randbytes(chance.choice((20, 20, 300, 6_000))) for _ in range(chance.randint(1, 6))]
        if chance.random() < 0.25 and not self._fails:
            for store in stores:
                store.append_own(_ORDERS, raws)
            return
        batch = _batch(chance, model, raws)
        for store in stores:
            _persistent(functools.partial(store.insert_remote, batch))


def _index_games(chance: random.Random, store: Store) -> None:
    """Write the index of games, each of which takes some consecutive entries."""
    games: dict[GameId, list[PutOff]] = {}
    check, arrival = ChainCheck(), 0
    for piece in store.entries_to_fold(check):
        arrival = piece.until if isinstance(piece, GameRun) else piece.arrival
        if isinstance(piece, GameRun):
            games.setdefault(piece.game, []).append(piece)
        elif piece.stream.startswith(TERMINALS) and chance.random() < 0.8:
            games.setdefault(GameId(f"{piece.stream} {piece.arrival // 4}"), []).append(piece)
    store.index_games(arrival, check.heads, games)


def _folded(store: Store) -> list[tuple[StreamId, int, bytes]]:
    """Return the entries that a start reads and all that the index names, in order of arrival."""
    pieces = list(store.entries_to_fold(ChainCheck()))
    entries = [one for one in pieces if not isinstance(one, GameRun)]
    entries += store.steps_of([one for one in pieces if isinstance(one, GameRun)])
    entries.sort(key=attrgetter("arrival"))
    return [(one.stream, one.seq, one.raw) for one in entries]


def _batch(chance: random.Random, model: VirtualStore | Store, raws: Sequence[bytes]) -> list[Entry]:
    """Return new entries of some terminals, of which one may disagree with a stored one."""
    batch: list[Entry] = []
    for number in range(chance.randint(1, 3)):
        stream = StreamId(f"table/{number}")
        head = model.head(stream)
        seq, previous = (head.seq, head.hash) if head is not None else (0, GENESIS)
        batch.extend(chained(stream, _EPOCHS[0], raws, seq, previous))
    if chance.random() < 0.1:
        batch.append(msgspec.structs.replace(batch[0], seq=chance.randint(1, batch[0].seq), raw=b"another"))
    return batch


def _persistent(work: Callable[[], T]) -> T:
    while True:
        try:
            return work()
        except Unavailable:
            continue


def _stored(model: VirtualStore) -> tuple[list[Entry], int]:
    return [one.entry for one in model.entries_after()], len(model.quarantined_entries())


class IdentityFiles:
    """A terminal's key and certificate, created at its first start."""

    def work(self, root: Path, seed: int, steps: int) -> None:
        del seed, steps
        key, certificate = own_identity(root, "terminal")
        tell((key.read_bytes() + certificate.read_bytes()).hex())

    def problem(self, root: Path, seed: int, steps: int, marks: Sequence[str]) -> str | None:
        del seed, steps
        key, certificate = own_identity(root, "terminal")
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
        except ssl.SSLError as error:
            return f"key and certificate cannot be used: {error}"
        if marks and (key.read_bytes() + certificate.read_bytes()).hex() != marks[0]:
            return "another key than the one that was used already"
        return None


class SavingSteps:
    """The agent on a disk that reports errors: all that it showed as saved must be there after a cut."""

    def work(self, root: Path, seed: int, steps: int) -> None:
        journal = Journal(root / "journal.db", _STREAM, _ORDERS, "board-0")
        agent = AgentSteps(journal, None, SystemClock(), trusted_clock=lambda: False, on_news=lambda: None)
        _persistent(agent.begin)
        chance = random.Random(f"saving {seed}")
        for step in range(1, steps + 1):
            for _ in range(chance.randint(1, 3)):
                agent.append(msgspec.msgpack.encode(chance.randbytes(chance.choice((20, 5_000)))))
            agent.step()
            saved = [news.seq for news in agent.news() if hasattr(news, "seq")]
            if saved:
                tell(saved[-1], b"".join(journal.own()[-1:]).hex())
            del step

    def problem(self, root: Path, seed: int, steps: int, marks: Sequence[str]) -> str | None:
        del seed, steps
        try:
            with Journal(root / "journal.db", _STREAM, _ORDERS, "board-0") as journal:
                own = journal.own()
        except BadData:
            if marks:
                raise
            # A card that fails while its journal is made for the first time: nothing was ever in it.
            return None
        for line in marks:
            seq, raw = line.split()
            if int(seq) > len(own):
                return f"{seq} shown as saved, {len(own)} there"
            if own[int(seq) - 1].hex() != raw:
                return f"entry {seq} is not the one that was shown as saved"
        return None


WORKLOADS: dict[str, Workload] = {
    "journal": JournalSteps(),
    "store": StoreSteps(),
    "refusing": StoreSteps(fails=True),
    "checkpoints": StoreSteps(checkpoints=True),
    "indexed": StoreSteps(checkpoints=True, indexes=True),
    "identity": IdentityFiles(),
    "saving": SavingSteps(),
}

if __name__ == "__main__":
    WORKLOADS[sys.argv[1]].work(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
