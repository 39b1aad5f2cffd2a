"""``make image-test``: the images in emulated boards, tried as an organiser and a table would use them.

make image-test ARGS="--arch arm64 --only frame,game"
"""

import datetime as dt
import importlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ["GPIOZERO_PIN_FACTORY"] = "mock"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
# Programs for file systems are there, where Debian keeps them from ordinary users.
os.environ["PATH"] += ":/usr/sbin:/sbin"

import logging

import click
import msgspec
import structlog
from rich.console import Console

from demo.pages import PageTrouble
from demo.processes import ProgramDied
from tests.boot.board import Arch
from tests.boot.disk import BadImage
from tests.boot.machine import MachineFault, MonitorFault
from tests.boot.report import Outcome, Report, Verdict, keep, read, report_table
from tests.boot.shell import ShellFault
from tests.boot.site import Broken, Site

ROOT: Final = Path(__file__).parents[2]
IMAGES: Final = ROOT / "build" / "image"
KEPT: Final = ROOT / "build" / "image-test"
TRIALS: Final = (
    *("frame", "touch", "button", "game", "hang", "wrong_file", "locked", "power", "update", "no_data"),
    *("raspi", "slow_card", "station", "card", "stick", "air"),
)
"""In this order, each in a module of its own: ``trial_NAME.py``."""
NEEDED: Final = {
    "qemu-system-aarch64": "qemu-system-arm",
    "qemu-system-x86_64": "qemu-system-x86",
    "qemu-img": "qemu-utils",
    "mcopy": "mtools",
    "ssh": "openssh-client",
    "e2fsck": "e2fsprogs",
    "fsck.fat": "dosfstools",
}
_FAULTS: Final = (
    Broken, MachineFault, MonitorFault, ShellFault, BadImage, PageTrouble, ProgramDied, TimeoutError,
)  # fmt: skip


class Trial(msgspec.Struct, frozen=True):
    """One of them. what: it tries, in a line. image: that is in its card, ``terminal`` or ``station``."""

    name: str
    run: Callable[[Site], None]
    what: str
    boards: tuple[Arch, ...]
    image: str

    def card(self, arch: Arch, images: Path) -> Path:
        return images / f"saloon-{self.image}-{arch.value}.img"


def trial(name: str) -> Trial:
    """A trial by its name: what its module says of itself, and else every board with a terminal's card."""
    module = importlib.import_module(f"tests.boot.trial_{name}")
    return Trial(
        name,
        module.run,
        (module.__doc__ or "").partition("\n")[0],
        getattr(module, "BOARDS", tuple(Arch)),
        getattr(module, "IMAGE", "terminal"),
    )


def tried(chosen: Trial, arch: Arch, images: Path) -> Outcome:
    name, image = chosen.name, chosen.card(arch, images)
    if not image.exists():
        return Outcome(name, arch.value, Verdict.NOT_TRIED, why=f"there is no {image}")
    folder = KEPT / f"{name}-{arch.value}"
    shutil.rmtree(folder, ignore_errors=True)
    site = Site(image, arch, folder)
    begun = time.monotonic()
    why = ""
    try:
        chosen.run(site)
    except _FAULTS as fault:
        why = f"{type(fault).__name__}: {fault}"
    finally:
        site.tidy()
    return Outcome(
        name,
        arch.value,
        Verdict.BROKE if why else Verdict.HELD,
        time.monotonic() - begun,
        tuple(site.measured),
        tuple(site.said),
        why,
    )


def built(arch: Arch, *, station: bool) -> None:
    """The image as the recipe makes it now, or has made it. Raises click.ClickException."""
    # Said anew, as this make hands down what it was told itself.
    options = [f"ARCH={arch.value}", f"STATION={'1' if station else ''}", "ARGS="]
    if subprocess.run(["make", "--no-print-directory", "image", *options], cwd=ROOT, check=False).returncode:
        raise click.ClickException(f"make image {' '.join(options)} failed")


def missing() -> list[str]:
    return sorted({package for name, package in NEEDED.items() if shutil.which(name) is None})


def chosen(only: str) -> tuple[Trial, ...]:
    """The trials of these names, in their order. Raises click.BadParameter."""
    wanted = set(only.split(",")) if only else set(TRIALS)
    if unknown := sorted(wanted - set(TRIALS)):
        raise click.BadParameter(f"no such trial: {', '.join(unknown)}; there are {', '.join(TRIALS)}")
    return tuple(trial(name) for name in TRIALS if name in wanted)


@click.command()
@click.option("--arch", multiple=True, type=click.Choice([arch.value for arch in Arch]), help="Else both.")
@click.option("--only", default="", help="Trials, with commas between; all when none is named.")
@click.option("--images", type=click.Path(path_type=Path), help="A folder with images; else they are built.")
def main(arch: tuple[str, ...], only: str, images: Path | None) -> None:
    """Try the images; the exit status is 1 where one broke its promise."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    # Whoever ends this ends the boards as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    console = Console(highlight=False, soft_wrap=True)
    if lacking := missing():
        raise click.ClickException(f"not installed: apt-get install {' '.join(lacking)}")
    trials = chosen(only)
    boards = tuple(Arch(value) for value in arch) or tuple(Arch)
    if images is None:
        for board, image in sorted({(b, t.image) for t in trials for b in boards if b in t.boards}, key=str):
            built(board, station=image == "station")
    report = read(KEPT / "report.json") or Report("")
    for board in boards:
        for one in trials:
            if board not in one.boards:
                continue
            console.print(f"{board.value} {one.name}: {one.what} …")
            outcome = tried(one, board, images or IMAGES)
            console.print(f"{board.value} {one.name}: {outcome.verdict.value} {outcome.why}", markup=False)
            report = report.with_outcome(outcome, dt.datetime.now(dt.UTC).isoformat(timespec="seconds"))
            keep(report, KEPT / "report.json")
    console.print(report_table(report))
    console.print(f"pictures, consoles and report.json: {KEPT}", markup=False)
    sys.exit(not report.held())


if __name__ == "__main__":
    main()
