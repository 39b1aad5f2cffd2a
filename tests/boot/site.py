"""The workplace of a trial: an image, a card to write to, a board for it, and notes.

What a trial lays over the root is an archive behind the initramfs, so that no image is changed: the kernel
unpacks both, and a script puts the trial's files into the overlay before the step to the root.
"""

import datetime as dt
import enum
import fnmatch
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from PIL import Image
from rich.table import Table

from demo.processes import free_port
from image.recipe.card.cpio import archive, file
from tests.boot.board import CONSOLE, Arch, Kernel, Wiring, arguments
from tests.boot.disk import BadImage, Disk, copied, flattened, overlay
from tests.boot.machine import Machine
from tests.boot.pictures import beside
from tests.boot.shell import Shell, made_key


class Verdict(enum.Enum):
    HELD = "held"
    BROKE = "broke"
    NOT_TRIED = "not tried"


class Measured(msgspec.Struct, frozen=True):
    """A time or a size. unit: ``s``, ``MB``, ``%`` or a word for a count."""

    what: str
    value: float
    unit: str


class Outcome(msgspec.Struct, frozen=True):
    """One trial on one board. said: what was seen, in sentences; why: it broke or was not tried."""

    trial: str
    arch: str
    verdict: Verdict
    took_s: float = 0.0
    measured: tuple[Measured, ...] = ()
    said: tuple[str, ...] = ()
    why: str = ""


class Report(msgspec.Struct, frozen=True):
    """All of it. at: the last trial, as ISO 8601. Every board is emulated without the machine's help."""

    at: str
    outcomes: tuple[Outcome, ...] = ()

    def with_outcome(self, outcome: Outcome, at: str) -> "Report":
        """The same with this outcome of now, in place of an older one of the same trial and board."""
        kept = [o for o in self.outcomes if (o.trial, o.arch) != (outcome.trial, outcome.arch)]
        return Report(at, (*kept, outcome))

    def held(self) -> bool:
        return all(outcome.verdict is not Verdict.BROKE for outcome in self.outcomes)


def read(path: Path) -> Report | None:
    """A report that was kept; None where there is none that can be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Report)
    except (OSError, msgspec.MsgspecError):
        return None


def keep(report: Report, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n")


def report_table(report: Report) -> Table:
    table = Table("trial", "board", "", "took", "measured and seen", title="the images, tried")
    for outcome in report.outcomes:
        figures = [f"{m.what}: {m.value:.4g} {m.unit}" for m in outcome.measured]
        words = "\n".join([*figures, *outcome.said, *([outcome.why] if outcome.why else [])])
        table.add_row(outcome.trial, outcome.arch, outcome.verdict.value, f"{outcome.took_s:.0f} s", words)
    return table


def value_of(outcomes: Sequence[Outcome], arch: str, what: str) -> float | None:
    """A figure by its name; None where it was not measured."""
    return next((m.value for o in outcomes if o.arch == arch for m in o.measured if m.what == what), None)


_STEP: Final = """\
#!/bin/busybox sh
/bin/busybox cp -a /trial/. "$1/"
if [ -e /trial-tools ]; then /bin/busybox cp /bin/busybox "$1/usr/local/bin/busybox"; fi
for name in $(/bin/busybox cat /trial-without); do
    /bin/busybox rm -f "$1/$name"
done
exec /bin/busybox switch_root "$@"
"""
_ALIGNED: Final = 512
SLOW: Final = {
    "etc/systemd/system/saloon-terminal.service.d/slow.conf": (
        "[Service]\nWatchdogSec=20\nTimeoutStartSec=300\nTimeoutAbortSec=5\n"
    ),
    "etc/systemd/system/saloon-provision.service.d/slow.conf": "[Service]\nTimeoutStartSec=300\n",
    "etc/systemd/system/saloon-station-prepare.service.d/slow.conf": "[Service]\nTimeoutStartSec=900\n",
    "etc/systemd/system/saloon-station.service.d/slow.conf": (
        "[Service]\nTimeoutStartSec=900\nWatchdogSec=400\nTimeoutAbortSec=50\n"
    ),
    "etc/systemd/system/saloon-station-screen.service.d/slow.conf": "[Service]\nWatchdogSec=600\n",
    "etc/systemd/system/saloon-stick@.service.d/slow.conf": "[Service]\nTimeoutStartSec=150\n",
    "etc/systemd/system/saloon-update-trial.service.d/slow.conf": (
        "[Service]\nEnvironment=DRAW_S=600 REACH_S=900\n"
    ),
    "etc/systemd/system/dev-disk-by\\x2dlabel-SALOON.device.d/slow.conf": (
        "[Unit]\nJobRunningTimeoutSec=300\n"
    ),
    "etc/systemd/system/dev-disk-by\\x2dlabel-saloon\\x2ddata.device.d/slow.conf": (
        "[Unit]\nJobRunningTimeoutSec=300\n"
    ),
}
"""An emulated board on a busy machine stands still for seconds: what waits for it waits ten times as long."""


def laid_over(
    initrd: bytes,
    files: Mapping[str, str],
    without: tuple[str, ...] = (),
    *,
    tools: bool = False,
    reads_ahead: bool = True,
) -> bytes:
    """An initramfs and behind it these files for the root.

    without: paths that the root is not to have. tools: the initramfs's busybox goes to ``/usr/local/bin``.
    reads_ahead: what the terminal needs is read early, as in the image.
    """
    entries = {f"trial/{name}": file(content.encode()) for name, content in files.items()}
    entries["trial-without"] = file("\n".join(without).encode())
    if tools:
        entries["trial-tools"] = file(b"")
    if not reads_ahead:
        entries["ahead"] = file(b"")
    entries["bin/switch_root"] = file(_STEP.encode(), executable=True)
    return initrd + b"\0" * (-len(initrd) % _ALIGNED) + archive(entries)


CARD: Final = "8G"
"""A card that people buy is larger than the image; the data partition grows into it."""
SIZE: Final = (800, 480)
"""Of the official 7-inch panel."""
_KERNELS: Final = ("vmlinuz*", "kernel8.img", "*/vmlinuz*", "*/linux")
_INITRDS: Final = ("initrd*", "initramfs*", "*/initrd*", "*/initramfs*")
_COMMAND_LINE: Final = {Arch.ARM64: "cmdline.txt", Arch.AMD64: "loader/entries/saloon.conf"}


class Broken(AssertionError):
    """A promise of the images did not hold."""


BOOT_S: Final = 900.0
"""The time limit of a start: an emulated board on a busy machine is slow, and slow is no fault."""
ANSWER_S: Final = 120.0
JOURNAL: Final = "systemd.journald.forward_to_console=1 systemd.journald.max_level_console=info"
"""The console's log, which is kept, tells what the journal tells, which is lost."""
TAP_S: Final = 0.5
"""The length of a tap, and the excess of a hold over its least time, as the guest's clock is not ours."""


class Site:
    """One trial's place. folder: its own; what lies there from before is its own too."""

    def __init__(self, image: Path, arch: Arch, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.arch = arch
        self.folder = folder
        self.image = image
        self.measured: list[Measured] = []
        self.said: list[str] = []
        self.ssh_port = free_port()
        self._starts = 0

    def card(self, files: Mapping[str, bytes] | None = None) -> Path:
        base = self.image
        if files:
            base = copied(self.image, self.folder / "prepared.img")
            for name, content in files.items():
                Disk(base).put(name, content)
        return overlay(base, self.folder / "card.qcow2", CARD)

    def in_a_reader(self, card: Path, files: Mapping[str, bytes]) -> Path:
        """The same card, out of its board for a moment: these files are on its boot partition now."""
        base = flattened(card, self.folder / f"reader-{self._starts}.img")
        for name, content in files.items():
            Disk(base).put(name, content)
        return overlay(base, self.folder / f"card-{self._starts}.qcow2", CARD)

    def board(
        self,
        card: Path,
        *,
        cable: Path | None = None,
        append: str = JOURNAL,
        without: tuple[str, ...] = (),
        https_port: int | None = None,
        device_tree: Path | None = None,
        by_firmware: bool = False,
        clock: dt.datetime | None = None,
        usb: bool = False,
        tools: bool = False,
        reads_ahead: bool = True,
        is_slow: bool = False,
    ) -> Machine:
        """The board with this card in it, not yet switched on.

        append: more for the kernel's command line. without, tools, reads_ahead: see ``conditions``.
        by_firmware: the image's own boot loader is used, and nothing is laid over.
        clock, usb, is_slow: see ``Wiring``.
        """
        self._starts += 1
        folder = self.folder / f"start-{self._starts}"
        folder.mkdir(exist_ok=True)
        wiring = Wiring(
            disk=card,
            folder=folder,
            ssh_port=self.ssh_port,
            size=SIZE,
            serial=cable,
            https_port=https_port,
            device_tree=device_tree,
            watchdog=self.arch is Arch.AMD64,
            clock=clock,
            usb=usb,
            is_slow=is_slow,
        )
        kernel = (
            None if by_firmware else self.kernel(append, SLOW, without, tools=tools, reads_ahead=reads_ahead)
        )
        return Machine(arguments(self.arch, wiring, kernel), folder)

    def kernel(
        self,
        append: str,
        laid: Mapping[str, str],
        without: tuple[str, ...],
        *,
        tools: bool,
        reads_ahead: bool,
    ) -> Kernel:
        """Kernel and command line of the image itself, and its initramfs with a trial's files behind it.

        Raises BadImage.
        """
        disk = Disk(self.image)
        kernel, initrd = self.folder / "vmlinuz", self.folder / "initrd"
        kernel.write_bytes(disk.read(_first(disk, _KERNELS)))
        begun = disk.read(_first(disk, _INITRDS))
        initrd.write_bytes(laid_over(begun, laid, without, tools=tools, reads_ahead=reads_ahead))
        own = words_of(disk.read(_COMMAND_LINE[self.arch]).decode(errors="replace"))
        return Kernel(kernel, initrd, command_line(own, self.arch, append))

    def key(self) -> tuple[Path, str]:
        return made_key(self.folder)

    def shell(self, key: Path) -> Shell:
        return Shell(self.ssh_port, key)

    def say(self, sentence: str) -> None:
        self.said.append(sentence)

    def measure(self, what: str, value: float, unit: str) -> None:
        self.measured.append(Measured(what, round(value, 2), unit))

    def keep(self, name: str, picture: Image.Image, expected: Image.Image | None = None) -> None:
        image = picture if expected is None else beside(picture, expected)
        image.save(self.folder / f"{name}.png")

    def tidy(self) -> None:
        """Take away what is large; pictures and logs stay."""
        for pattern in ("*.img", "*.qcow2", "vmlinuz", "initrd"):
            for path in self.folder.glob(pattern):
                with suppress(OSError):
                    path.unlink()


def words_of(file: str) -> str:
    """The kernel's command line in a file of a Pi's firmware, or among the lines of a boot loader's entry."""
    options = [line.split(None, 1)[1] for line in file.splitlines() if line.startswith("options ")]
    return " ".join(options) if options else file.strip()


def command_line(own: str, arch: Arch, append: str) -> str:
    """The image's own command line with the emulated board's console, and what a trial adds."""
    kept = [word for word in own.split() if not word.startswith("console=")]
    return " ".join([*kept, f"console={CONSOLE[arch]}", *append.split()])


def _first(disk: Disk, patterns: tuple[str, ...]) -> str:
    names = disk.names()
    for pattern in patterns:
        matching = sorted(name for name in names if fnmatch.fnmatch(name, pattern))
        if matching:
            return matching[-1]
    raise BadImage(f"{disk.path.name}: no {' or '.join(patterns)} on the boot partition; there is {names}")
