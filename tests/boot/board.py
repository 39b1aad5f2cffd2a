"""The emulated boards: what QEMU is told, as values. Nothing here starts anything."""

import datetime as dt
import enum
from pathlib import Path
from typing import Final, assert_never

import msgspec

from tests.boot.slow_card import LIMITS


class Arch(enum.Enum):
    """A processor that images are made for; the value is Debian's name."""

    ARM64 = "arm64"
    AMD64 = "amd64"


class Kernel(msgspec.Struct, frozen=True):
    """The files that a boot loader would load from the image's boot partition.

    append: the kernel's command line.
    """

    image: Path
    initrd: Path
    append: str


class Wiring(msgspec.Struct, frozen=True):
    """The devices of an emulated board.

    disk: written by the guest. folder: for sockets and logs. ssh_port: of the host's loopback, leads to the
    guest's port 22. https_port: the same for 443, where it has one. serial: a device of the host that is the
    other end of the guest's cable. size: of the screen, in pixels. device_tree: instead of the board's own.
    clock: what the board's clock with a battery says at power on, else the host's time. usb: whether sticks
    can be plugged in. is_slow: the disk is the socket of a slow card.
    """

    disk: Path
    folder: Path
    ssh_port: int
    size: tuple[int, int] = (800, 480)
    serial: Path | None = None
    device_tree: Path | None = None
    https_port: int | None = None
    watchdog: bool = False
    clock: dt.datetime | None = None
    usb: bool = False
    is_slow: bool = False


_PROCESSOR: Final = {Arch.ARM64: "cortex-a53", Arch.AMD64: "Nehalem"}
"""Of a Pi 3; and the oldest that Debian's programs still know well enough."""


def console_of(arch: Arch) -> str:
    """The serial port of the kernel's messages. It is not the one of the cable to the station."""
    match arch:
        case Arch.ARM64:
            return "ttyAMA0"
        case Arch.AMD64:
            return "ttyS0"
        case _:
            assert_never(arch)


def arguments(arch: Arch, wiring: Wiring, kernel: Kernel | None) -> tuple[str, ...]:
    """QEMU's command line. kernel: None lets the firmware find the image's own boot loader."""
    width, height = wiring.size
    forwards = [f"hostfwd=tcp:127.0.0.1:{wiring.ssh_port}-:22"]
    if wiring.https_port is not None:
        forwards.append(f"hostfwd=tcp:127.0.0.1:{wiring.https_port}-:443")
    return (
        *_machine(arch),
        *("-smp", "2", "-m", "1G"),
        # A board that switched itself off stays to be looked at.
        *("-action", "shutdown=pause"),
        *("-display", "none", "-vga", "none", "-nodefaults", "-no-user-config"),
        *("-qmp", f"unix:{wiring.folder / 'qmp'},server=on,wait=off"),
        *("-serial", f"file:{wiring.folder / 'console.log'}"),
        *_loader(arch, kernel),
        *("-drive", f"{_file(wiring)},if=none,id=card"),
        *("-device", "virtio-blk-pci,drive=card"),
        *("-device", f"virtio-gpu-pci,xres={width},yres={height}"),
        *("-device", "virtio-tablet-pci", "-device", "virtio-keyboard-pci"),
        *("-netdev", f"user,id=net,{','.join(forwards)}", "-device", "virtio-net-pci,netdev=net,romfile="),
        *("-device", "virtio-rng-pci"),
        *_cable(wiring.serial),
        *(("-dtb", str(wiring.device_tree)) if wiring.device_tree is not None else ()),
        *(("-device", "i6300esb", "-action", "watchdog=reset") if wiring.watchdog else ()),
        *(("-device", "qemu-xhci") if wiring.usb else ()),
        *(("-rtc", f"base={wiring.clock:%Y-%m-%dT%H:%M:%S}") if wiring.clock is not None else ()),
    )


def pi_3b(disk: Path, folder: Path, kernel: Kernel, device_tree: Path) -> tuple[str, ...]:
    """QEMU's command line of a Raspberry Pi 3 B. disk: its size is a power of two, as of a real card.

    Nothing is plugged into its USB: the emulated controller interrupts thousands of times a second then.
    """
    return (
        *("qemu-system-aarch64", "-M", "raspi3b", "-accel", "tcg,thread=multi"),
        *("-action", "shutdown=pause", "-display", "none", "-nodefaults", "-no-user-config"),
        *("-qmp", f"unix:{folder / 'qmp'},server=on,wait=off"),
        *("-serial", f"file:{folder / 'console.log'}"),
        *_loader(Arch.ARM64, kernel),
        *("-dtb", str(device_tree)),
        *("-drive", f"file={disk},if=sd,format=qcow2"),
    )


def _machine(arch: Arch) -> tuple[str, ...]:
    emulated = ("-cpu", _PROCESSOR[arch], "-accel", "tcg,thread=multi")
    match arch:
        case Arch.ARM64:
            return ("qemu-system-aarch64", "-M", "virt", *emulated)
        case Arch.AMD64:
            return ("qemu-system-x86_64", "-M", "q35", *emulated)
        case _:
            assert_never(arch)


def _loader(arch: Arch, kernel: Kernel | None) -> tuple[str, ...]:
    if kernel is not None:
        return (
            *("-kernel", str(kernel.image), "-initrd", str(kernel.initrd)),
            *("-append", kernel.append),
        )
    match arch:
        case Arch.ARM64:
            return ("-bios", "/usr/share/qemu-efi-aarch64/QEMU_EFI.fd")
        case Arch.AMD64:
            return ("-bios", "/usr/share/ovmf/OVMF.fd")
        case _:
            assert_never(arch)


def _file(wiring: Wiring) -> str:
    if wiring.is_slow:
        return f"driver=qcow2,file.driver=nbd,file.path={wiring.disk},{LIMITS}"
    return f"file={wiring.disk},format=qcow2,discard=unmap"


def _cable(serial: Path | None) -> tuple[str, ...]:
    if serial is None:
        return ()
    return ("-chardev", f"serial,id=cable,path={serial}", "-device", "pci-serial,chardev=cable")
