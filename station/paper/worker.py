"""Typeset each paper in a child process, because Typst never frees the memory of what it has typeset."""

import asyncio
import enum
import hashlib
import sys
from collections import OrderedDict
from typing import Final

import msgspec
import structlog

from base.child_process import run_child
from base.errors import OurFault, Refused
from base.system import was_killed
from station.paper.layouts import Paper, PaperForm
from station.paper.typesetting import LOGO
from station.web.long_tasks import TaskProgress, TaskStep

_log = structlog.get_logger(__name__)
_KEPT: Final = 4
"""The most cached papers. A preview requests the pages of a paper one by one."""
_KEPT_THUMBNAILS: Final = 100
_AT_A_TIME: Final = 1
_MEMORY: Final = 700 << 20
"""The memory limit in bytes; the largest paper of 1,000 players and five rounds takes 550 MB."""
_LOGGED: Final = 2000
_TIME_S: Final = 300.0
"""The time limit, enough for the largest papers on the slowest board."""
_PROGRAM: Final = (sys.executable, "-P", "-m", "station.paper.typesetting")


class PaperFailure(enum.Enum):
    """The reasons for giving up on a paper, as English sentences."""

    TIME = (
        "This printout took too long on this computer, so it was stopped. Try again when the computer is "
        "less busy."
    )
    MEMORY = (
        "This printout needs more memory than this computer has to spare. Print it from a larger computer."
    )


def _count_items(paper: Paper) -> int:
    """Return about how many rows, forms or cards a paper has, which tells how long it takes."""
    return sum(len(value) for value in msgspec.structs.astuple(paper.body) if isinstance(value, tuple))


class PaperWorker:
    """Typesets papers one at a time, each in a process with limits, and caches the last few.

    program: typesets one paper from standard input.
    memory: the limit in bytes.
    """

    def __init__(
        self, program: tuple[str, ...] = _PROGRAM, *, memory: int = _MEMORY, time_s: float = _TIME_S
    ) -> None:
        self._program, self._memory, self._time_s = program, memory, time_s
        self._kept: OrderedDict[bytes, tuple[bytes, ...]] = OrderedDict()
        self._thumbnails: OrderedDict[bytes, tuple[bytes, ...]] = OrderedDict()
        self._running = asyncio.Semaphore(_AT_A_TIME)
        self._next_thumbnail = asyncio.Lock()

    async def set(
        self, paper: Paper, form: PaperForm, progress: TaskProgress | None = None
    ) -> tuple[bytes, ...]:
        """Typeset a paper in this form. Raises Refused.

        Only one thumbnail waits in the queue, so that papers don't wait for a whole page of them.
        """
        if form is not PaperForm.THUMBNAIL:
            return await self._cached(paper, form, self._kept, _KEPT, progress)
        async with self._next_thumbnail:
            return await self._cached(paper, form, self._thumbnails, _KEPT_THUMBNAILS)

    async def read_logo(self, content: bytes) -> bytes:
        """Return an uploaded logo as a small PNG file, or nothing if it can't be read. Raises Refused."""
        async with self._running:
            (logo,) = await self._run(content, LOGO)
        return logo

    async def _cached(
        self,
        paper: Paper,
        form: PaperForm,
        kept: OrderedDict[bytes, tuple[bytes, ...]],
        most: int,
        progress: TaskProgress | None = None,
    ) -> tuple[bytes, ...]:
        content = msgspec.json.encode(paper)
        key = hashlib.sha256(form.value.encode() + content).digest()
        async with self._running:
            if key not in kept:
                if progress is not None:
                    like = f"{type(paper.body)} {form}"
                    progress.begin(TaskStep.LAYOUT, size=_count_items(paper), like=like)
                kept[key] = await self._run(content, form.value)
            kept.move_to_end(key)
            while len(kept) > most:
                kept.popitem(last=False)
            return kept[key]

    async def _run(self, content: bytes, form: str) -> tuple[bytes, ...]:
        program = (*self._program, form, str(self._memory))
        try:
            process = await run_child(program, content, self._time_s)
        except TimeoutError:
            raise Refused(PaperFailure.TIME) from None
        if process.returncode:
            words = process.stderr[-_LOGGED:].decode(errors="replace")
            _log.error("typesetting failed", status=process.returncode, problem=words)
            # Killed by the system, aborted by Typst, or out of memory in Python.
            if was_killed(process.returncode) or "MemoryError" in words:
                raise Refused(PaperFailure.MEMORY)
            raise OurFault(f"typesetting failed: {words}")
        return msgspec.msgpack.decode(process.stdout, type=tuple[bytes, ...])
