"""Take pictures of all scenes and pages, and copy those that the documentation shows: ``make screenshots``.

ARGS="station appliance" selects some of them.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.shown_pictures import copy_shown

HERE = Path(__file__).parent
PROGRAMS = ("kiosk", "station", "two_halls", "appliance")


def main(chosen: Sequence[str]) -> None:
    """Draw the terminal's scenes, then the station's pages. chosen: names of programs; empty for all."""
    for program in chosen or PROGRAMS:
        print(f"{program}…")
        subprocess.run([sys.executable, "-m", f"tools.pictures_{program}"], check=True, cwd=HERE.parent)
    copy_shown("station")


if __name__ == "__main__":
    main(sys.argv[1:])
