"""``make image-test``: the images in emulated boards, tried as an organiser and a table would use them.

make image-test ARGS="--arch arm64 --only frame,game"
"""

import datetime as dt
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
from tests.boot.shell import ShellFault
from tests.boot.site import Broken, Outcome, Report, Site, Verdict, keep, read, report_table
from tests.boot.trials_by_air import run_air
from tests.boot.trials_of_games import run_button, run_game, run_update
from tests.boot.trials_of_screens import run_frame, run_no_data, run_touch, run_wrong_file
from tests.boot.trials_of_stations import run_card, run_station, run_stick
from tests.boot.trials_of_systems import run_hang, run_locked, run_power, run_raspi, run_slow_card

ROOT: Final = Path(__file__).parents[2]
IMAGES: Final = ROOT / "build" / "image"
KEPT: Final = ROOT / "build" / "image-test"
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
    boards: tuple[Arch, ...] = tuple(Arch)
    image: str = "terminal"

    def card(self, arch: Arch, images: Path) -> Path:
        return images / f"saloon-{self.image}-{arch.value}.img"


TRIALS: Final = (
    Trial("frame", run_frame, "the first frame, against the login prompt of the same base"),
    Trial("touch", run_touch, "touches of a virtual tablet change the screen as on the host"),
    Trial(
        "button", run_button, "a press on a line of the GPIO chip counts a reshuffle", boards=(Arch.ARM64,)
    ),
    Trial("game", run_game, "a whole game over a cable, the plug pulled, the root untouched"),
    Trial("hang", run_hang, "a kiosk or a kernel that hangs is started again"),
    Trial("wrong_file", run_wrong_file, "a wrong provisioning file is explained on the screen"),
    Trial("locked", run_locked, "no way out by keys, no ssh without a key, no login"),
    Trial("power", run_power, "a power button ends nothing; a shut-down leaves clean data"),
    Trial("update", run_update, "a signed version is kept; one that does not come up is undone"),
    Trial("no_data", run_no_data, "a card whose data cannot be read: the screen says so"),
    Trial("raspi", run_raspi, "a Pi 3 B up to the message that no screen was found", boards=(Arch.ARM64,)),
    Trial("slow_card", run_slow_card, "first frame and saving with a slow card", boards=(Arch.ARM64,)),
    Trial("station", run_station, "pages over HTTPS, and their address on its own screen", image="station"),
    Trial("card", run_card, "a station takes its card's file and leaves no secret of it", image="station"),
    Trial("stick", run_stick, "copies on a stick by themselves; they open", image="station"),
    Trial("air", run_air, "the access point lets a phone in, and serves", image="station"),
)
"""In this order."""


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
    names = [one.name for one in TRIALS]
    wanted = set(only.split(",")) if only else set(names)
    if unknown := sorted(wanted - set(names)):
        raise click.BadParameter(f"no such trial: {', '.join(unknown)}; there are {', '.join(names)}")
    return tuple(one for one in TRIALS if one.name in wanted)


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
