"""Run a child process with input and output, on every system and event loop."""

import asyncio
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from base.system import CHILD_FLAGS

_THREADS: Final = ThreadPoolExecutor(4, thread_name_prefix="child")
"""A separate thread pool, so that long-running programs don't block other work."""


async def run_child(
    program: Sequence[str], content: bytes, time_s: float
) -> subprocess.CompletedProcess[bytes]:
    """Run a program with this standard input, and return its output.

    Raises TimeoutError and kills the program if it doesn't end within ``time_s`` seconds. A thread waits for
    it, since the station's event loop can't start processes on Windows.
    """
    children: list[subprocess.Popen[bytes]] = []
    pipe = subprocess.PIPE

    def _run() -> subprocess.CompletedProcess[bytes]:
        with subprocess.Popen(  # noqa: S603 (our own programs)
            program, stdin=pipe, stdout=pipe, stderr=pipe, creationflags=CHILD_FLAGS
        ) as child:
            children.append(child)
            try:
                output, problem = child.communicate(content, time_s)
            except subprocess.TimeoutExpired:
                child.kill()
                raise TimeoutError from None
        return subprocess.CompletedProcess(program, child.returncode, output, problem)

    try:
        return await asyncio.get_running_loop().run_in_executor(_THREADS, _run)
    finally:
        for child in children:
            child.kill()
            child.wait()
