"""The images of terminals: startup time, size and memory, each beside its base image without Saloon.

It reads build/image-test/report.json, the results of ``make image-test`` on emulated boards, and measures the
images in build/image. It starts no boards itself, as that takes minutes.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from base.errors import Unavailable
from bench.figure import Effort, Figure, Measurement
from bench.image_sizes import sizes

ROOT: Final = Path(__file__).parents[1]
REPORT: Final = ROOT / "build" / "image-test" / "report.json"
BOARDS: Final = ("arm64", "amd64")


class Measured(msgspec.Struct, frozen=True):
    """A figure in a test report."""

    what: str
    value: float
    unit: str


class Trial(msgspec.Struct, frozen=True):
    """The figures of one test on one board."""

    trial: str
    arch: str
    measured: tuple[Measured, ...] = ()


class Report(msgspec.Struct, frozen=True):
    """The report of ``python -m tests.boot``, with its time as ISO 8601."""

    at: str
    outcomes: tuple[Trial, ...] = ()

    def value(self, arch: str, what: str) -> float | None:
        """Return a figure of a board by name, or None if it wasn't measured."""
        return next(
            (m.value for one in self.outcomes if one.arch == arch for m in one.measured if m.what == what),
            None,
        )


class Pair(msgspec.Struct, frozen=True):
    """A figure and its peer, by their names in the report, and another figure to show beside them, if any."""

    what: str
    peer: str
    unit: str
    aim: str
    more: str = ""


PAIRS: Final = (
    Pair(
        "first frame",
        "login prompt of the same base",
        "s of kernel time",
        "no later than the prompt",
        more="first light on the screen",
    ),
    Pair(
        "a kept version says that it has drawn",
        "the kiosk says that it has drawn",
        "s of kernel time",
        "as the image's own",
    ),
    Pair("memory in use while a table plays", "memory in use without the terminal", "MB", "200"),
    Pair("first frame from a slow card", "first frame from this machine's disk", "s of kernel time", ""),
    Pair(
        "an entry until it is durable on a slow card, p99",
        "an entry until it is durable on this machine's disk, p99",
        "ms",
        "",
    ),
)


def measurements(_effort: Effort) -> Sequence[Measurement]:
    """Return the figures of the report, and the sizes of the images. Raises Unavailable without a report."""
    return (
        Measurement("image in emulated boards", lambda: list(figures_of(kept_in(REPORT)))),
        *(Measurement(f"size of the image, {arch}", _sizes_of(arch)) for arch in BOARDS),
    )


def _sizes_of(arch: str) -> Callable[[], Sequence[Figure]]:
    return lambda: sizes(arch)


def kept_in(file: Path) -> Report:
    """Return the report in a file. Raises Unavailable if it can't be read."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=Report)
    except (OSError, msgspec.MsgspecError) as error:
        raise Unavailable(f"no report of the images ({error}); make image-test first") from error


def figures_of(report: Report) -> Iterator[Figure]:
    """Yield the figures of each board that has both values."""
    for pair in PAIRS:
        for arch in BOARDS:
            ours, peer = report.value(arch, pair.what), report.value(arch, pair.peer)
            beside = report.value(arch, pair.more)
            if ours is not None and peer is not None:
                more = "" if beside is None else f"{pair.more} {beside:.1f} s"
                yield Figure(
                    f"{pair.what}, {arch}", pair.unit, ours, pair.peer, peer, aim=pair.aim, more=more
                )
