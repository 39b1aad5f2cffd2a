"""The sdist and the wheel, which is built from the checkout and from the sdist to compare both."""

import sys
import tarfile
import tempfile
from pathlib import Path

from tools.release.checkout import ROOT, VERSION, environment, run

WHEEL = f"saloon-{VERSION}-py3-none-any.whl"
SDIST = f"saloon-{VERSION}.tar.gz"


def build_wheel(source: Path, into: Path, python: Path = Path(sys.executable)) -> Path:
    """Build a wheel from a source tree by a Python that has requirements/build.lock installed."""
    run(python, "-m", "hatchling", "build", "-t", "wheel", "-d", into, cwd=source)
    return into / WHEEL


def build_distributions(dist: Path) -> None:
    """Build the sdist and the wheel. Raises SystemExit if the wheels of checkout and sdist differ."""
    python = environment("distributions", "build.lock")
    run(python, "-m", "hatchling", "build", "-t", "sdist", "-d", dist)
    wheel = build_wheel(ROOT, dist, python)
    with tempfile.TemporaryDirectory() as work:
        with tarfile.open(dist / SDIST) as packed:
            packed.extraction_filter = getattr(tarfile, "data_filter", None)  # new in Python 3.11.4
            packed.extractall(work)  # noqa: S202 (our own)
        again = build_wheel(Path(work) / SDIST.removesuffix(".tar.gz"), Path(work), python)
        if again.read_bytes() != wheel.read_bytes():
            raise SystemExit(f"{WHEEL}: the wheel built from the sdist differs from the checkout's")
