"""Work that takes longer than a page may wait: its progress, cancelling it, and its result for a while.

Pages describe their work as a ``LongJob`` and wait for ``result_of`` (station/web/task_page.py), which shows
the progress of what takes more than a second.
"""

import asyncio
import enum
import secrets
import tempfile
import threading
import time
import weakref
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import msgspec
import structlog

from base.errors import Refused, SaloonError
from base.whole_file import disk_errors_as_unavailable
from station.text.i18n import Words

_log = structlog.get_logger()
_T = TypeVar("_T")
_MOST_OF_ONE: Final = 4
"""The most unfinished tasks of a person."""
_MOST: Final = 24
"""The most unfinished tasks."""
_MOST_KEPT: Final = 8
_KEPT_S: Final = 600.0
_PIECE: Final = 1 << 16
_ALMOST: Final = 0.95
"""The most that an estimate shows, as only the end itself is certain."""


class TaskStep(enum.Enum):
    """The steps of tasks, as English sentences."""

    WAITING = "Waiting for an earlier file"
    COLLECTING = "Collecting the contents"
    CODES = "QR code {n} of {total}"
    LAYOUT = "Laying out the pages"
    TABLES = "Worksheet {n} of {total}"
    LINES = "Line {n} of {total}"
    CHECKING = "Checking the copy: entry {n} of {total}"
    PACKS = "Verifying proof pack {n} of {total}"
    READING = "Reading the file"
    STICK = "Writing to the USB drive"


_USUAL_PACES: Final = {TaskStep.LAYOUT: 3e-3, TaskStep.READING: 25e-6, TaskStep.PACKS: 1e-6}
"""Seconds for each item of a paper, or byte of a file, before this computer's own are known."""


class TaskRefusal(enum.Enum):
    """The reasons for refusing or ending a task."""

    TOO_MANY_OF_YOURS = "You're waiting for {count} files already. Wait for one of them, or cancel it."
    TOO_MANY = "The station is busy with {count} other files. Try again in a minute."
    CANCELLED = "It was cancelled. Start it again if you still need it."


class TaskCancelled(BaseException):
    """Ends the thread of a cancelled task."""


class TaskProgress:
    """Progress as the work reports it, from any thread. A cancelled task ends when it reports again."""

    def __init__(self, paces: dict[tuple[TaskStep, str], float], clock: Callable[[], float]) -> None:
        self._paces, self._clock = paces, clock
        self.step, self.done, self.total = TaskStep.WAITING, 0, 0
        self.is_cancelled = False
        self._size, self._like = 0, ""
        self._begun_s = self._step_begun_s = clock()
        self._from, self._to = 0.0, 0.0

    def begin(
        self, step: TaskStep, total: int = 0, *, size: int = 0, like: str = "", until: float = 1.0
    ) -> None:
        """Begin a step.

        total: how much will be counted.
        size: the amount of a step that can't be counted, whose duration follows from earlier ones.
        like: the kind of work that takes equally long for the same size.
        until: the part of the whole that is done after this step.
        """
        self.end()
        if self.step is TaskStep.WAITING:
            self._begun_s = self._clock()
        self.step, self.done, self.total, self._size, self._like = step, 0, total, size, like
        self._from, self._to, self._step_begun_s = self._to, until, self._clock()
        self.count(0)

    def count(self, done: int, total: int = 0) -> None:
        """Report how much is done, and of how much if that wasn't known. Raises TaskCancelled."""
        if self.is_cancelled:
            raise TaskCancelled
        self.total = total or self.total
        self.done = min(done, self.total)

    def counted(self, each: Iterable[_T]) -> Iterator[_T]:
        """Yield the same, and count them."""
        for done, one in enumerate(each):
            self.count(done)
            yield one

    def end(self) -> None:
        """End a step, and learn how long it took."""
        if self._size:
            self._paces[self.step, self._like] = (self._clock() - self._step_begun_s) / self._size

    @property
    def share(self) -> float | None:
        """Return the part that is done, from 0 to 1, or None if it's unknown."""
        if self._size:
            part = min(self._estimate(), _ALMOST)
        elif self.total:
            part = self.done / self.total
        else:
            return None
        return self._from + part * (self._to - self._from)

    @property
    def left_s(self) -> float | None:
        """Return how many seconds are left, or None if unknown or if it takes longer than expected."""
        share = self.share
        if not share or (self._size and self._estimate() >= 1):
            return None
        return (self._clock() - self._begun_s) * (1 - share) / share

    def _estimate(self) -> float:
        """Return the time since the step began, as a part of what it's expected to take."""
        known = self._paces.get((self.step, self._like))
        expected_s = self._size * (_USUAL_PACES[self.step] if known is None else known)
        return (self._clock() - self._step_begun_s) / expected_s if expected_s else 1.0


class LongJob(msgspec.Struct, Generic[_T], frozen=True):
    """Work to run as a task.

    what: identifies the work and the rights that its result needs; only the same work gets it.
    version: the state from which it is made. Equal work at the same version runs once for everybody.
    lane: jobs in a lane run one after the other.
    """

    title: str
    what: object
    version: object
    work: Callable[[TaskProgress], Awaitable[_T]]
    lane: str = "files"


class LongTask(Generic[_T]):
    """A job that runs or has ended.

    url: the page that has its result. people: those who want it, with the pages that they came from.
    seen: those who know how it ended.
    """

    def __init__(self, job: LongJob[_T], url: str, progress: TaskProgress, run: Awaitable[_T]) -> None:
        self.key = secrets.token_hex(8)
        self.job, self.url, self.progress = job, url, progress
        self.running = asyncio.ensure_future(run)
        self.people: dict[str, str] = {}
        self.seen: set[str] = set()

    @property
    def error(self) -> BaseException | None:
        """Return why it failed; None also while it runs or after it was cancelled."""
        return self.running.exception() if self.running.done() and not self.running.cancelled() else None

    @property
    def is_wanted(self) -> bool:
        """Return whether it runs or has a result."""
        return not self.running.cancelled() and self.error is None


class LongTasks:
    """The running tasks and the results of the last ones. Used on one event loop.

    patience_s: how long a page waits before it shows the progress instead.
    """

    def __init__(self, patience_s: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self.patience_s = patience_s
        self._clock = clock
        self._tasks: dict[str, LongTask[Any]] = {}
        self._lanes: dict[str, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(1))
        self._paces: dict[tuple[TaskStep, str], float] = {}

    def begin(self, job: LongJob[_T], judge: str, url: str, back: str) -> LongTask[_T]:
        """Begin a job, or join a task with the same one. Raises Refused."""
        wanted = job.what, job.version
        same = (one for one in self._tasks.values() if (one.job.what, one.job.version) == wanted)
        task = next((one for one in same if one.is_wanted), None)
        if task is None:
            self._check_limits(judge)
            progress = TaskProgress(self._paces, self._clock)
            task = LongTask(job, url, progress, self._run(job, progress))
            self._tasks[task.key] = task
            task.running.add_done_callback(lambda _: self._on_end(task))
        task.people.setdefault(judge, back)
        task.seen.discard(judge)
        return task

    def find(self, key: str, what: object) -> LongTask[Any] | None:
        """Return the task with this key, unless it failed or is about something else."""
        task = self._tasks.get(key)
        return task if task is not None and task.is_wanted and task.job.what == what else None

    def find_own(self, key: str, judge: str) -> LongTask[Any] | None:
        task = self._tasks.get(key)
        return task if task is not None and judge in task.people else None

    def news_for(self, judge: str) -> tuple[LongTask[Any], ...]:
        """Return a person's tasks, apart from those that they have seen the end of."""
        return tuple(one for one in self._tasks.values() if judge in one.people and judge not in one.seen)

    def leave(self, task: LongTask[Any], judge: str) -> str:
        """Stop waiting for a task, and return the page that the person came from. The last one ends it."""
        back = task.people.pop(judge)
        if not task.people and not task.running.done():
            task.progress.is_cancelled = True
            task.running.cancel()
            del self._tasks[task.key]
        return back

    def close(self) -> None:
        """End all tasks, when the station ends."""
        for task in self._tasks.values():
            task.progress.is_cancelled = True
            task.running.cancel()

    async def _run(self, job: LongJob[_T], progress: TaskProgress) -> _T:
        async with self._lanes[job.lane]:
            result = await job.work(progress)
            progress.end()
            return result

    def _check_limits(self, judge: str) -> None:
        running = [one for one in self._tasks.values() if not one.running.done()]
        if sum(judge in one.people for one in running) >= _MOST_OF_ONE:
            raise Refused(TaskRefusal.TOO_MANY_OF_YOURS, count=_MOST_OF_ONE)
        if len(running) >= _MOST:
            raise Refused(TaskRefusal.TOO_MANY, count=_MOST)

    def _on_end(self, task: LongTask[Any]) -> None:
        if (error := task.error) is not None and not isinstance(error, SaloonError):
            _log.error("task failed", title=task.job.title, exc_info=error)
        if self._tasks.pop(task.key, None) is not None:
            self._tasks[task.key] = task
        ended = [one.key for one in self._tasks.values() if one.running.done()]
        for key in ended[:-_MOST_KEPT]:
            del self._tasks[key]
        asyncio.get_running_loop().call_later(_KEPT_S, self._tasks.pop, task.key, None)


class MadeFile:
    """A file that was made aside, on the disk without a name, which is freed once nobody needs it."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        with disk_errors_as_unavailable(Path(tempfile.gettempdir())):
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 (closed after the last download)
            weakref.finalize(self, self._file.close)
            for piece in pieces:
                self._file.write(piece)
            self._file.flush()
            self.size = self._file.tell()
        self._lock = threading.Lock()

    def pieces(self) -> Iterator[bytes]:
        """Yield the content from its beginning."""
        for place in range(0, self.size, _PIECE):
            with self._lock:
                self._file.seek(place)
                piece = self._file.read(_PIECE)
            yield piece


class TaskShown(msgspec.Struct, frozen=True):
    """A task for its page. ``percent`` is None if unknown, and ``problem`` why it failed, or ""."""

    key: str
    title: str
    step: str
    left: str
    percent: int | None
    is_running: bool
    problem: str
    result: str
    again: str


def shown_task(task: LongTask[Any], words: Words) -> TaskShown:
    """Return a task as its page shows it."""
    progress, error = task.progress, task.error
    share, join = progress.share, "&" if "?" in task.url else "?"
    return TaskShown(
        task.key,
        task.job.title,
        words.label(progress.step).format(n=progress.done, total=progress.total),
        _left_in_words(progress.left_s, words),
        None if share is None else int(100 * share),
        is_running=not task.running.done(),
        problem=words.error(error) if isinstance(error, SaloonError) else "",
        result=f"{task.url}{join}task={task.key}",
        again=task.url,
    )


def _left_in_words(left_s: float | None, words: Words) -> str:
    if left_s is None:
        return ""
    if left_s < 90:  # noqa: PLR2004 (seconds, beyond which minutes are easier to read)
        return words.gettext("about {n} s left").format(n=max(1, round(left_s)))
    return words.gettext("about {n} min left").format(n=round(left_s / 60))
