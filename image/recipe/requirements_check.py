"""The requirements of the building machine (programs, permissions, emulator, space), and how to meet them."""

import os
import platform
import pwd
import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from base.errors import SaloonError
from image.recipe.program.pin_library import compiler_of
from image.recipe.target import Architecture

TOOLS: Mapping[str, str] = {
    "apt-get": "apt",
    "dpkg": "dpkg",
    "tar": "tar",
    "zstd": "zstd",
    "depmod": "kmod",
    "readelf": "binutils",
    "mksquashfs": "squashfs-tools",
    "mke2fs": "e2fsprogs",
    "mkfs.vfat": "dosfstools",
    "mcopy": "mtools",
    "sfdisk": "fdisk",
    "systemd-sysusers": "systemd",
    "unshare": "util-linux",
}
"""Programs used by the steps, and the Debian packages that contain them."""
ROOM = 4 * 1024**3
"""Bytes that a build needs at its peak: two roots, two layers and a disk."""
BINFMT = Path("/proc/sys/fs/binfmt_misc")
_ALSO_HERE = "/usr/local/sbin:/usr/sbin:/sbin"


class CannotBuild(SaloonError, RuntimeError):
    """This machine lacks something, and the message says how to get it."""


def find_tool(name: str) -> str | None:
    """Return the path of a program, even in a folder that is not in ordinary users' PATH."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:{_ALSO_HERE}")


def compiler_tools(architecture: Architecture, machine: str) -> Mapping[str, str]:
    """Return the programs needed to compile for a board on this machine, with their packages."""
    foreign = f"gcc-{architecture.machine.replace('_', '-')}-linux-gnu"
    return {
        "swig": "swig",
        compiler_of(architecture): "gcc" if architecture.machine == machine else foreign,
    }


def missing_tools(found: Callable[[str], str | None], tools: Mapping[str, str] = TOOLS) -> tuple[str, ...]:
    """Return the packages to install for programs that ``found`` doesn't find, sorted."""
    return tuple(sorted({package for tool, package in tools.items() if found(tool) is None}))


def emulator_of(architecture: Architecture, machine: str) -> str | None:
    """Return the kernel's name of the emulator for packages' scripts, or None if none is needed."""
    return None if architecture.machine == machine else f"qemu-{architecture.machine}"


def emulator_problem(emulator: str, registered: str | None) -> str | None:
    """Return a problem with the kernel's registration of an emulator and its remedy, or None."""
    if registered is None:
        return (
            f"scripts of packages for the board need {emulator}: apt install qemu-user-static binfmt-support,"
            f" then as root: mount -t binfmt_misc binfmt_misc {BINFMT} (unless it is mounted),"
            f" update-binfmts --enable {emulator}"
        )
    lines = registered.splitlines()
    if lines[:1] != ["enabled"]:
        return f"{emulator} is switched off: as root: update-binfmts --enable {emulator}"
    flags = next((line.partition(":")[2] for line in lines if line.startswith("flags")), "")
    if "F" not in flags:
        return f"{emulator} is looked for inside the image, where it is not: apt install qemu-user-static"
    return None


def namespace_problem(user: str, subuid: Iterable[str], subgid: Iterable[str]) -> str | None:
    """Return what an ordinary user lacks to own files of several users, and the remedy, or None."""
    for lines in (subuid, subgid):
        if not any(line.split(":")[0] == user for line in lines):
            return (
                f"{user} has no numbers for other users' files: as root: apt install uidmap,"
                f" usermod --add-subuids 100000-165535 --add-subgids 100000-165535 {user}; or build as root"
            )
    return None


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def tools_of(architecture: Architecture, *, compiles: bool) -> Mapping[str, str]:
    """Return all programs of a build on this machine, with compilers if anything must be compiled."""
    return {**TOOLS, **(compiler_tools(architecture, platform.machine()) if compiles else {})}


def _tools_problem(tools: Mapping[str, str]) -> list[str]:
    packages = missing_tools(find_tool, tools)
    return [f"programs are missing: apt install {' '.join(packages)}"] if packages else []


def check_tools(tools: Mapping[str, str]) -> None:
    """Raise CannotBuild with the packages of missing programs."""
    problems = _tools_problem(tools)
    if problems:
        raise CannotBuild("\n".join(problems))


def check(architecture: Architecture, folder: Path, *, compiles: bool) -> None:
    """Raise CannotBuild with everything that this machine lacks to build into a folder."""
    problems = _tools_problem(tools_of(architecture, compiles=compiles))
    emulator = emulator_of(architecture, platform.machine())
    if emulator is not None:
        known = BINFMT / emulator
        problem = emulator_problem(emulator, known.read_text(encoding="utf-8") if known.exists() else None)
        problems += [problem] if problem else []
    if os.geteuid() != 0:
        user = pwd.getpwuid(os.geteuid()).pw_name
        problem = namespace_problem(user, _lines("/etc/subuid"), _lines("/etc/subgid"))
        if problem is None and find_tool("newuidmap") is None:
            problem = "no program that maps users' numbers: apt install uidmap; or build as root"
        problems += [problem] if problem else []
    there = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(there).free
    if free < ROOM:
        problems.append(f"{there} has {free / 1e9:.1f} GB free, a build needs {ROOM / 1e9:.1f} GB")
    if problems:
        raise CannotBuild("\n".join(problems))


def inside(command: list[str]) -> list[str]:
    """Return a command that runs as "root" of a user namespace, or the same command for root."""
    if os.geteuid() == 0:
        return command
    return ["unshare", "--user", "--map-root-user", "--map-auto", "--mount", "--", *command]
