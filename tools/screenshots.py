"""Take a picture of every scene and every page, into docs/pictures: ``make screenshots``."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main() -> None:
    """Draw the terminal's scenes, then the station's pages."""
    for program in ("pictures_kiosk", "pictures_station", "pictures_two_halls", "pictures_appliance"):
        print(f"{program}…")
        subprocess.run([sys.executable, "-m", f"tools.{program}"], check=True, cwd=HERE.parent)


if __name__ == "__main__":
    main()
