"""The command ``python -m tools.release [PART...] [--url URL] [--complete]``."""

import argparse
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tools.release.checkout import ROOT
from tools.release.files import PARTS, build_images, write_sums


def check_changes(folder: Path) -> None:
    """Exit with a message if some change notes aren't in CHANGELOG.md yet."""
    if left := ", ".join(sorted(file.name for file in folder.glob("*.md"))):
        raise SystemExit(f"not in CHANGELOG.md yet: {left}; run: towncrier build")


def main() -> None:
    """Build parts of a release, by default all of them, and write the checksums of all files in dist.

    Parts that can't be built here are listed at the end.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.release", description=main.__doc__)
    parser.add_argument("part", nargs="*", choices=[*PARTS, []], help=", ".join(PARTS))
    parser.add_argument("--url", default="", help="where the files will be offered, for Raspberry Pi Imager")
    parser.add_argument(
        "--complete", action="store_true", help="build nothing; refuse if a file or change is missing"
    )
    options = parser.parse_args()
    if options.complete:
        check_changes(ROOT / "changes")
    dist = ROOT / "dist"
    dist.mkdir(exist_ok=True)
    builders: dict[str, Callable[[Path], None]] = {**PARTS, "images": partial(build_images, url=options.url)}
    missing: list[str] = []
    for part in () if options.complete else options.part or PARTS:
        print(f"{part} ...", flush=True)
        try:
            builders[part](dist)
        except subprocess.CalledProcessError as error:
            print(error, file=sys.stderr)
            missing.append(part)
    write_sums(dist, is_complete=options.complete)
    if missing:
        sys.exit(f"not built here: {', '.join(missing)}")


if __name__ == "__main__":
    main()
