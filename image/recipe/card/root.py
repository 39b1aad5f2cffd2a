"""The root file system as a squashfs: packages, our files on top, Saloon in /opt, users and units."""

import lzma
import shutil
from pathlib import Path

from image.recipe.card.drivers import kernel_in
from image.recipe.run import Commands
from image.release.keys import release_key_text

_PLACES = ("data", "boot/firmware", "media/saloon", "var/lib/saloon", "opt/saloon")
_BOOT_ONLY = (
    "usr/lib/raspi-firmware",
    "usr/lib/systemd/boot",
    "usr/bin/busybox",
    "etc/kernel",
    "etc/initramfs",
    "etc/default/raspi-firmware",
)


def lay_over(files: Path, root: Path) -> None:
    """Copy a folder's files, links and modes into a root, ignoring their owners."""
    if not files.is_dir():
        return
    for path in sorted(files.rglob("*")):
        there = root / path.relative_to(files)
        if path.is_symlink():
            there.unlink(missing_ok=True)
            there.parent.mkdir(parents=True, exist_ok=True)
            there.symlink_to(path.readlink())
        elif path.is_dir():
            there.mkdir(parents=True, exist_ok=True)
        elif "__pycache__" not in path.parts:
            there.parent.mkdir(parents=True, exist_ok=True)
            if there.is_symlink():
                there.unlink()
            shutil.copyfile(path, there)
            there.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)


def unpack_drivers(root: Path, commands: Commands) -> None:
    """Decompress drivers, since the squashfs compresses them better and they load faster."""
    modules = root / "usr/lib/modules"
    compressed = list(modules.rglob("*.ko.xz"))
    for path in compressed:
        path.with_suffix("").write_bytes(lzma.decompress(path.read_bytes()))
        path.unlink()
    if compressed:
        commands.run("depmod", "-b", root, kernel_in(root))


def take_boot_files(root: Path, aside: Path) -> None:
    """Move files needed only on the boot partition out of the root."""
    shutil.move(root / "boot", aside / "boot")
    trees = next((root / "usr/lib").glob("linux-image-*"), None)
    if trees is not None:
        shutil.move(trees, aside / "device-trees")
    for name in _BOOT_ONLY:
        path = root / name
        if path.exists():
            (aside / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.move(path, aside / name)


def finish_root(checkout: Path, kind: str, app: Path, root: Path, commands: Commands) -> None:
    """Copy our files over the packages', and set up users and units, running no programs of the root."""
    for name in _PLACES:
        (root / name).mkdir(parents=True, exist_ok=True)
    for part in ("common", kind):
        lay_over(checkout / "image" / part / "root", root)
    shutil.rmtree(root / "opt/saloon")
    shutil.copytree(app, root / "opt/saloon", symlinks=True)
    (root / "usr/lib/saloon").mkdir(parents=True, exist_ok=True)
    shutil.copyfile(app / "release", root / "usr/lib/saloon/release")
    (root / "usr/lib/saloon/release.pub").write_text(release_key_text(checkout), encoding="ascii")
    commands.run("systemd-sysusers", f"--root={root}")
    commands.run("systemctl", f"--root={root}", "preset-all")
    # Use only name servers provided by the network.
    (root / "etc/resolv.conf").unlink(missing_ok=True)
    (root / "etc/resolv.conf").symlink_to("/run/systemd/resolve/resolv.conf")
    for name in ("etc/passwd-", "etc/group-", "etc/shadow-", "etc/gshadow-", "etc/.pwd.lock"):
        (root / name).unlink(missing_ok=True)


def squash_root(root: Path, made: Path, commands: Commands) -> None:
    """Write the root as a squashfs with its owners and modes, and the commit's time for all files."""
    commands.run(
        "env", "-u", "SOURCE_DATE_EPOCH", "mksquashfs", root, made,
        "-quiet", "-no-progress", "-noappend", "-no-xattrs",
        "-comp", "zstd", "-Xcompression-level", "9", "-b", "256K",
        "-mkfs-time", str(commands.epoch), "-all-time", str(commands.epoch),
    )  # fmt: skip
