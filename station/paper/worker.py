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
from station.web.long_tasks import TaskProgress, TaskStep

_log = structlog.get_logger(__name__)
_KEPT: Final = 4
"""The most cached papers. A preview requests the pages of a paper one by one."""
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
        self._running = asyncio.Semaphore(_AT_A_TIME)

    async def set(
        self, paper: Paper, form: PaperForm, progress: TaskProgress | None = None
    ) -> tuple[bytes, ...]:
        """Typeset a paper as one PDF file, or as a picture of each page. Raises Refused."""
        content = msgspec.json.encode(paper)
        key = hashlib.sha256(form.value.encode() + content).digest()
        async with self._running:
            if key not in self._kept:
                if progress is not None:
                    like = f"{type(paper.body)} {form}"
                    progress.begin(TaskStep.LAYOUT, size=_count_items(paper), like=like)
                self._kept[key] = await self._set(content, form)
            self._kept.move_to_end(key)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
            return self._kept[key]

    async def _set(self, content: bytes, form: PaperForm) -> tuple[bytes, ...]:
        program = (*self._program, form.value, str(self._memory))
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
