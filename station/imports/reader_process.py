"""Read uploaded lists in a child process, so that a malicious file cannot harm the station."""

import sys
from collections.abc import Sequence
from typing import Final

import msgspec

from base.system import limit_process
from station.imports.findings import CsvFinding, CsvProblem, ListFormat, PlayerRow, Preview
from station.imports.player_list import Person, preview

_MOST_MEMORY: Final = 768 * 1024 * 1024
"""The memory limit in bytes. A list of 5,000 players needs about a tenth of it, besides Python itself."""
_MOST_CPU_S: Final = 20
_MOST_WALL_S: Final = 60
_TOO_MUCH: Final = Preview((), (CsvFinding(None, CsvProblem.TOO_MUCH),), ())


class _Request(msgspec.Struct, frozen=True):
    """The input of the child process. ``people`` are the registered players."""

    content: bytes
    people: tuple[PlayerRow, ...]
    choice: ListFormat


async def preview_in_process(content: bytes, entrants: Sequence[Person], choice: ListFormat) -> Preview:
    """Return the ``preview`` of a file, made by a child process with limited memory and time."""
    # Imported here, so that the child process starts faster.
    from base.child_process import run_child

    people = tuple(PlayerRow(0, one.name, one.club) for one in entrants)
    request = msgspec.msgpack.encode(_Request(content, people, choice))
    try:
        reader = await run_child((sys.executable, "-P", "-m", __name__), request, _MOST_WALL_S)
    except TimeoutError:
        return _TOO_MUCH
    if reader.returncode:
        return _TOO_MUCH
    return msgspec.msgpack.decode(reader.stdout, type=Preview)


def main() -> None:
    """Read a request from standard input, and write the preview to standard output."""
    limit_process(_MOST_MEMORY, _MOST_CPU_S)
    request = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=_Request)
    answer = preview(request.content, request.people, request.choice)
    sys.stdout.buffer.write(msgspec.msgpack.encode(answer))


if __name__ == "__main__":
    main()
