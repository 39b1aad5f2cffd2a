"""sessions cut after every byte, peers that lie, bits that flip on disks"""

import itertools
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path

from sync.protocol.entry import StreamId
from tests.soak.counts import Counts, Progress
from tests.soak.cuts import quiet
from tests.soak.flipped import flips, make_journal, make_store, read_journal, read_store
from tests.soak.packets import cut_after, lied_to, lies, plain_words, strange_words, whole_session
from tests.soak.virtual_identities import identity

_AT_ONCE = 2
_QUEUED = 4
_PIECE = 40
_STRIDE = 97
"""Of the flips in one go; the next go begins a byte later."""
Work = Callable[[], Counts]


def run(seed: int, seconds: float, progress: Progress) -> Counts:
    """All lies, then cuts and flips in turn until the time is over or everything was tried."""
    quiet()
    end = time.monotonic() + seconds
    done = Counts()
    with tempfile.TemporaryDirectory(prefix="saloon-packets-") as name:
        keys = Path(name)
        whole = whole_session(keys)
        waiting = works(seed, keys, whole)
        running: set[Future[Counts]] = set()
        with ProcessPoolExecutor(_AT_ONCE, initializer=quiet) as pool:
            while True:
                while len(running) < _QUEUED and time.monotonic() < end:
                    work = next(waiting, None)
                    if work is None:
                        break
                    func, first, second = work
                    running.add(pool.submit(func, first, second))
                if not running:
                    return done
                finished, running = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    done += future.result()
                    progress(done)


def works(seed: int, keys: Path, whole: int) -> Iterator[tuple[Callable[..., Counts], object, object]]:
    """Yield the functions to run, and their arguments."""
    yield all_lies, keys, seed
    cuts = ((cuts_from, keys, first) for first in range(1, whole, _PIECE))
    journal = ((flips_from, "journal", first) for first in range(_STRIDE))
    store = ((flips_from, "store", first) for first in range(_STRIDE))
    for one in itertools.chain.from_iterable(itertools.zip_longest(cuts, journal, store)):
        if one is not None:
            yield one


def cuts_from(keys: Path, first: int) -> Counts:
    """The session cut after each of some bytes."""
    done = Counts()
    for at in range(first, first + _PIECE):
        problem = cut_after(at, keys)
        said = f"cut after byte {at}: {problem}; again: cut_after({at}, …) of tests/soak/packets.py"
        done += Counts(events=8, cuts=1, octets=at, failures=(said,) if problem else ())
    return done


def flips_from(what: str, first: int) -> Counts:
    """A bit flipped in every so many-th byte of a journal, or of a station's database."""
    make, read = (make_journal, read_journal) if what == "journal" else (make_store, read_store)
    return sum(flips(make, read, begin=first, every=_STRIDE if what == "journal" else 8 * _STRIDE), Counts())


def all_lies(keys: Path, _seed: int) -> Counts:
    """Everything that must not be said, said."""
    done = Counts()
    stream = StreamId(f"table/{identity(keys, 't1').id}")
    said = [(name, pieces, True, False) for name, pieces in lies(stream).items()]
    said += [(name, pieces, False, False) for name, pieces in strange_words().items()]
    said += [(name, (piece,), False, True) for name, piece in plain_words().items()]
    for name, pieces, known, plainly in said:
        problem = lied_to(keys, pieces, known=known, plainly=plainly)
        failures = (f"{name}: {problem}",) if problem else ()
        done += Counts(events=1, octets=sum(map(len, pieces)), failures=failures)
    return done
