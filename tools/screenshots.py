"""Every scene and every page as a picture, into docs/pictures: ``make screenshots``."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main() -> None:
    """Draw the terminal's scenes, then the station's pages."""
    for program in ("pictures_kiosk.py", "pictures_station.py", "pictures_two_halls.py"):
        print(f"{program}…")
        subprocess.run([sys.executable, str(HERE / program)], check=True)


if __name__ == "__main__":
    main()
