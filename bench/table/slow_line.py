"""One end of a serial line: ``python -m bench.table.slow_line PATH BYTES`` sends BYTES bytes, then waits."""

import sys
import time
from contextlib import closing
from pathlib import Path

from bench.serial.cuts import events
from bench.serial.rig import linked, now_ms


def main(path: Path, size: int) -> None:
    """Send lines of 61 bytes through a link, until the process is ended."""
    left = events(size // 61)
    with closing(linked(path)) as link:
        link.open()
        while True:
            if left:
                left = left[link.write(left[:8192]) :]
            link.advance(now_ms())
            time.sleep(0.001)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
