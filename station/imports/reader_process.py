"""Read uploaded lists in a process that ends: a file that asks for too much ends it, and not the station."""

import sys
from collections.abc import Sequence
from typing import Final

import msgspec

from saloon.station.imports.findings import CsvFinding, CsvProblem, ListFormat, PlayerRow, Preview
from saloon.station.imports.players_csv import Person, preview

_MOST_MEMORY: Final = 768 * 1024 * 1024
"""Of addresses, in bytes; a list of 5,000 players takes about a tenth of what is left to it."""
_MOST_CPU_S: Final = 20
_MOST_WALL_S: Final = 60
_TOO_MUCH: Final = Preview((), (CsvFinding(None, CsvProblem.TOO_MUCH),), ())


class _Request(msgspec.Struct, frozen=True):
    """The input of the process. people: registered already."""

    content: bytes
    people: tuple[PlayerRow, ...]
    choice: ListFormat


async def preview_in_process(content: bytes, entrants: Sequence[Person], choice: ListFormat) -> Preview:
    """Return ``preview`` of a file, made in a process with limits of its memory and time."""
    import asyncio  # here, as the process that reads starts faster without it

    people = tuple(PlayerRow(0, one.name, one.club) for one in entrants)
    request = msgspec.msgpack.encode(_Request(content, people, choice))
    pipe = asyncio.subprocess.PIPE
    reader = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", __name__, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        answer, _ = await asyncio.wait_for(reader.communicate(request), _MOST_WALL_S)
    except TimeoutError:
        return _TOO_MUCH
    finally:
        if reader.returncode is None:
            reader.kill()
            await reader.wait()
    if reader.returncode != 0:
        return _TOO_MUCH
    return await asyncio.to_thread(msgspec.msgpack.decode, answer, type=Preview)


def _limit_this_process() -> None:
    """Limit memory and processor time, where the system can."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (_MOST_CPU_S, _MOST_CPU_S))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    """Read a request from standard input, and write its preview to standard output."""
    _limit_this_process()
    request = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=_Request)
    found = preview(request.content, request.people, request.choice)
    sys.stdout.buffer.write(msgspec.msgpack.encode(found))


if __name__ == "__main__":
    main()
