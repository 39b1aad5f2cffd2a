"""The station as a single executable file that needs no Python, built by PyInstaller.

It runs on this version of the system and newer ones, so the Linux one must be built on the oldest supported
Debian.
"""

import platform
import sys
from pathlib import Path
from typing import Final

from tools.release.checkout import ROOT, VERSION, WORK, environment, pip, run
from tools.release.distributions import build_wheel

LARGEST_MB: Final = 120
SYSTEMS: Final = (("linux", "x86_64"), ("linux", "arm64"), ("win32", "x86_64"), ("darwin", "arm64"))
"""The systems with a single file in the release, as named by sys.platform and machine()."""
_NAMES: Final = {"linux": "linux", "win32": "windows", "darwin": "macos"}
_MACHINES: Final = {"amd64": "x86_64", "aarch64": "arm64"}


def machine() -> str:
    name = platform.machine().lower()
    return _MACHINES.get(name, name)


def file_name(system: str, processor: str) -> str:
    ending = ".exe" if system == "win32" else ""
    return f"saloon-station-{VERSION}-{_NAMES[system]}-{processor}{ending}"


def build_single_file(dist: Path) -> None:
    """Build this system's single file. Raises SystemExit if it is too large."""
    python = environment("single-file", "station.lock", "build.lock", "release.lock")
    wheel = build_wheel(ROOT, WORK / "wheel", python)
    pip(python, "--no-deps", wheel)
    # With -P the data files are those of the wheel, not of the checkout.
    run(
        python, "-P", "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", "--distpath", WORK / "made",
        "--workpath", WORK / "pyinstaller", ROOT / "tools/release/single_file.spec",
    )  # fmt: skip
    made = dist / file_name(sys.platform, machine())
    (WORK / "made" / f"saloon-station{made.suffix if sys.platform == 'win32' else ''}").replace(made)
    if made.stat().st_size > LARGEST_MB * 1024**2:
        raise SystemExit(f"{made}: larger than {LARGEST_MB} MB")
