"""The FAT partition: firmware files, kernel, initramfs, and ``saloon.toml``."""

import shutil
from pathlib import Path

from image.recipe.card.layout import identifier_of
from image.recipe.target import Architecture, Target

_QUIET = (
    "console=tty1 quiet loglevel=3 vt.global_cursor_default=0 consoleblank=0"
    " systemd.show_status=false panic=10"
)
_SECURITY = "lsm=landlock,lockdown,yama"
"""The kernel's security modules, except unused ones, and BPF, which takes a tenth of systemd's startup."""
CONFIG = """# Raspberry Pi 3 and 4 with Debian's kernel.
arm_64bit=1
upstream_kernel=1
kernel=vmlinuz
initramfs initrd.img followkernel
disable_splash=1
"""


def cmdline(identifier: str) -> str:
    """Return the kernel's command line, with the id of our disk and options for a quiet screen."""
    return f"saloon.disk={identifier} {_QUIET} {_SECURITY}"


def _of_the_kind(checkout: Path, target: Target, name: str, otherwise: str) -> str:
    """Return a boot file for this kind of machine, or else the common one, or else ``otherwise``.

    A terminal's ``cmdline.txt`` disables huge pages, for which the kernel would reserve 45 MB.
    """
    for part in (target.kind.value, "common"):
        path = checkout / "image" / part / "boot" / name
        if path.exists():
            return path.read_text(encoding="utf-8")
    return otherwise


def write_boot(checkout: Path, target: Target, *, taken: Path, initrd: Path, boot: Path) -> None:
    """Write the partition's files into a folder.

    ``taken`` contains the files that `take_boot_files` moved out of the root.
    """
    boot.mkdir()
    (kernel,) = (taken / "boot").glob("vmlinuz-*")
    shutil.copyfile(kernel, boot / "vmlinuz")
    shutil.copyfile(initrd, boot / "initrd.img")
    said = cmdline(identifier_of(target))
    more = _of_the_kind(checkout, target, "cmdline.txt", "").split()
    said = " ".join([*said.split(), *(word for word in more if word not in said.split())])
    match target.architecture:
        case Architecture.ARM64:
            _write_for_pi(checkout, target, said, taken, boot)
        case Architecture.AMD64:
            _write_for_pc(target, said, taken, boot)


def _write_for_pi(checkout: Path, target: Target, said: str, taken: Path, boot: Path) -> None:
    firmware = taken / "usr/lib/raspi-firmware"
    for name in ("bootcode.bin", "start.elf", "fixup.dat", "start4.elf", "fixup4.dat"):
        shutil.copyfile(firmware / name, boot / name)
    for tree in sorted((taken / "device-trees/broadcom").glob("bcm*.dtb")):
        shutil.copyfile(tree, boot / tree.name)
    (boot / "config.txt").write_text(_of_the_kind(checkout, target, "config.txt", CONFIG), encoding="utf-8")
    (boot / "cmdline.txt").write_text(f"{said}\n", encoding="utf-8")


def _write_for_pc(target: Target, said: str, taken: Path, boot: Path) -> None:
    loader = taken / "usr/lib/systemd/boot/efi/systemd-bootx64.efi"
    (boot / "EFI/BOOT").mkdir(parents=True)
    shutil.copyfile(loader, boot / "EFI/BOOT" / target.architecture.efi_program)
    (boot / "loader/entries").mkdir(parents=True)
    (boot / "loader/loader.conf").write_text("default saloon.conf\ntimeout 0\neditor no\n", encoding="utf-8")
    (boot / "loader/entries/saloon.conf").write_text(
        f"title Saloon\nlinux /vmlinuz\ninitrd /initrd.img\noptions {said}\n", encoding="utf-8"
    )
