"""The initramfs: busybox, our ``init``, and the drivers for disk and screen.

It is assembled on this machine, running none of the board's programs.
"""

from collections.abc import Sequence
from pathlib import Path

from image.recipe.card import cpio
from image.recipe.card.drivers import kernel_in, named, names_in, needs_of
from image.recipe.run import Commands
from image.splash import splash_files

_LISTS = ("modules.alias", "modules.softdep", "modules.builtin", "modules.builtin.modinfo", "modules.order")


_PROGRAMS = (
    "sh cat mount umount mkdir find sort xargs modprobe readlink dd hexdump sleep reboot switch_root"
    " chroot tr sync mv rm chown chmod grep"
)
"""The busybox programs that ``init`` calls."""


def _drivers(root: Path, wanted: Path, work: Path, commands: Commands) -> dict[str, cpio.Entry]:
    """Return the chosen drivers, and a list of their dependencies, which is short and so fast to search."""
    version = kernel_in(root)
    source = root / "usr/lib/modules" / version
    needs = needs_of((source / "modules.dep").read_text(encoding="utf-8"))
    copy = work / "lib/modules" / version
    for driver in sorted(named(names_in(wanted.read_text(encoding="utf-8")), needs)):
        (copy / driver).parent.mkdir(parents=True, exist_ok=True)
        (copy / driver).write_bytes((source / driver).read_bytes())
    for name in ("modules.order", "modules.builtin", "modules.builtin.modinfo"):
        (copy / name).write_bytes((source / name).read_bytes())
    commands.run("depmod", "-b", work, version)
    files = [p for p in copy.rglob("*") if p.is_file() and not p.name.endswith(".bin")]
    return {
        f"lib/modules/{p.relative_to(copy.parent).as_posix()}": cpio.file(p.read_bytes())
        for p in files
        if p.suffix == ".ko" or p.name in {"modules.dep", *_LISTS}
    }


def write_initramfs(
    root: Path, ours: Path, made: Path, work: Path, commands: Commands, *, ahead: Sequence[str]
) -> None:
    """Write the compressed archive ``made`` for the kernel of ``root``.

    ours: the folder with ``init``, the list ``modules``, and ``root/``, whose files are copied unchanged.
    ahead: files of the root that will be read early (``image.recipe.program.read_ahead``).
    """
    busybox = next(p for p in (root / "usr/bin/busybox", root / "bin/busybox") if p.exists())
    entries = {
        "init": cpio.file((ours / "init").read_bytes(), executable=True),
        "ahead": cpio.file("".join(f"{name}\n" for name in ahead).encode()),
        "bin/busybox": cpio.file(busybox.read_bytes(), executable=True),
        **{name: cpio.folder() for name in ("dev", "proc", "sys", "lower", "memory", "root")},
        **{f"bin/{name}": cpio.link("busybox") for name in _PROGRAMS.split()},
        **_drivers(root, ours / "modules", work, commands),
        **{name: cpio.file(content) for name, content in splash_files().items()},
    }
    for path in sorted((ours / "root").rglob("*")):
        name = path.relative_to(ours / "root").as_posix()
        if path.is_symlink():
            entries[name] = cpio.link(str(path.readlink()))
        elif path.is_file():
            executable = bool(path.stat().st_mode & 0o100)
            entries[name] = cpio.file(path.read_bytes(), executable=executable)
    plain = work / "initramfs.cpio"
    plain.write_bytes(cpio.archive(entries))
    commands.run("zstd", "-q", "-f", "-10", "--no-progress", plain, "-o", made)
