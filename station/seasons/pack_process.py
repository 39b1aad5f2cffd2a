"""Verify uploaded proof packs in a child process, so that a malicious file cannot harm the station."""

import io
import sys
from typing import Final

import msgspec

from base.errors import BadData
from base.system import limit_process
from core.proof.season_pack import SeasonPack, read_season_pack

_MOST_MEMORY: Final = 1024**3
_MOST_CPU_S: Final = 300
_MOST_WALL_S: Final = 600
_TOO_MUCH: Final = "it takes too much memory or time to verify"


async def read_in_process(content: bytes) -> SeasonPack | str:
    """Return a pack's part for a season, or the reason why the pack doesn't count."""
    # Imported here, so that the child process starts faster.
    from base.child_process import run_child

    try:
        reader = await run_child((sys.executable, "-P", "-m", __name__), content, _MOST_WALL_S)
    except TimeoutError:
        return _TOO_MUCH
    if reader.returncode:
        return _TOO_MUCH
    return msgspec.msgpack.decode(reader.stdout, type=SeasonPack | str)


def main() -> None:
    """Read a pack from standard input, and write the answer to standard output."""
    limit_process(_MOST_MEMORY, _MOST_CPU_S)
    answer: SeasonPack | str
    try:
        answer = read_season_pack(io.BytesIO(sys.stdin.buffer.read()), "")
    except BadData as error:
        answer = error.problem
    sys.stdout.buffer.write(msgspec.msgpack.encode(answer))


if __name__ == "__main__":
    main()
