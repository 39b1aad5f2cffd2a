"""Layers of packages, each a tar that the next one starts from.

This machine's dpkg unpacks the packages from outside, at full speed. Only the packages' scripts run inside,
emulated for another processor. Running dpkg itself inside, as is common, would take half an hour instead of a
few minutes.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec

from image.recipe.card.drivers import kept_of, kernel_in, needs_of
from image.recipe.packages.apt import Apt, Package
from image.recipe.run import Commands
from image.recipe.target import Architecture

_MERGED = {
    Architecture.ARM64: ("bin", "sbin", "lib"),
    Architecture.AMD64: ("bin", "sbin", "lib", "lib64"),
}
_DEVICES = ("null", "zero", "full", "random", "urandom")
_BYTE_COMPILERS = ("usr/bin/py3compile", "usr/bin/py3clean", "usr/bin/ssh-keygen")
"""Programs that packages' scripts need not run: byte code is compiled here, host keys on the board."""
_NOTHING = "#!/bin/sh\nexit 0\n"
_PASSING = (
    "etc/machine-id", "var/lib/dbus/machine-id", "var/cache/ldconfig/aux-cache", "var/log/dpkg.log",
    "var/log/alternatives.log", "var/lib/dpkg/lock", "var/lib/dpkg/lock-frontend", "var/lib/dpkg/status-old",
    "var/lib/dpkg/available", "var/lib/systemd/random-seed", "usr/sbin/policy-rc.d", "etc/resolv.conf",
    "etc/hostname", "etc/passwd-", "etc/group-", "etc/shadow-", "etc/gshadow-", "etc/.pwd.lock",
)  # fmt: skip

Said = Callable[[str], None]


class LayerInputs(msgspec.Struct, frozen=True):
    """The inputs of a layer, apart from the layer below. Their hash is the cache key."""

    architecture: Architecture
    packages: tuple[str, ...]
    unpacked: tuple[str, ...]
    excluded: tuple[str, ...]
    drivers_excluded: tuple[str, ...]
    sources: str
    recipe: str
    below: str
    left_out: tuple[str, ...] = ()


def empty_root(root: Path, architecture: Architecture) -> None:
    """Create the folders of a merged /usr, needed before the first package, and an empty package list."""
    for name in _MERGED[architecture]:
        (root / "usr" / name).mkdir(parents=True)
        (root / name).symlink_to(f"usr/{name}")
    for name in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "var/log", "dev", "proc", "sys", "tmp", "run"):
        (root / name).mkdir(parents=True, exist_ok=True)
    for name in ("status", "available"):
        (root / "var/lib/dpkg" / name).touch()


def unpack_files(archive: Path, root: Path, excluded: tuple[str, ...], commands: Commands) -> None:
    """Unpack the files of a package, keeping folders that are links, as in a merged /usr."""
    quoted = " ".join(f"'--exclude=.{pattern}'" for pattern in excluded)
    commands.run(
        "bash",
        "-c",
        f'set -o pipefail; dpkg-deb --fsys-tarfile "$1" | tar -x -C "$2" --keep-directory-symlink'
        f" --wildcards {quoted}",
        "unpack",
        archive,
        root,
    )


class Layer:
    """A root into which packages are installed."""

    def __init__(self, root: Path, inputs: LayerInputs, commands: Commands) -> None:
        self._root = root
        self._inputs = inputs
        self._commands = commands

    def unpack(self, archives: list[Path], said: Said) -> None:
        """Unpack the files of packages, but run no scripts and don't record them as installed."""
        for archive in archives:
            said(f"Unpacking {archive.name.split('_')[0]}")
            unpack_files(archive, self._root, self._inputs.excluded, self._commands)

    def install(self, archives: list[Path], said: Said) -> None:
        """Install packages with dpkg from outside, running their scripts inside."""
        root = self._root
        # Unpack everything first, as scripts of earlier packages need programs of later ones.
        self.unpack(archives, lambda _line: None)
        (root / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n", encoding="utf-8")
        (root / "usr/sbin/policy-rc.d").chmod(0o755)
        (root / "var/lib/dpkg/arch").write_text(f"{self._inputs.architecture.value}\n", encoding="utf-8")
        self._dpkg("--no-triggers", "--unpack", *map(str, archives), said=said)
        silenced = self._silence()
        self._dpkg("--configure", "-a", said=said)
        for path, real in silenced.items():
            real.replace(path)

    def _silence(self) -> dict[Path, Path]:
        """Replace programs that shouldn't run for now, and return where the originals are."""
        aside = {}
        compilers = (self._root / "usr/lib").glob("python3.*/py_compile.py")
        for path in (*(self._root / name for name in _BYTE_COMPILERS), *compilers):
            if path.exists():
                real = path.with_name(f"{path.name}.real")
                path.rename(real)
                path.write_text("" if path.suffix == ".py" else _NOTHING, encoding="utf-8")
                path.chmod(0o755)
                aside[path] = real
        return aside

    def _dpkg(self, *words: str, said: Said) -> None:
        """Run dpkg on the root, with /proc and a few devices mounted in a mount namespace of its own."""
        root = self._root
        mounts = [f'mount --rbind /proc "{root}/proc"']
        for device in _DEVICES:
            (root / "dev" / device).touch()
            mounts.append(f'mount --bind /dev/{device} "{root}/dev/{device}"')
        excluded = [f"--path-exclude={pattern}" for pattern in self._inputs.excluded]
        script = "\n".join(["set -e", *mounts, 'exec dpkg "$@"'])
        self._commands.run(
            "unshare", "--mount", "sh", "-c", script, "dpkg",
            f"--root={root}", f"--log={root}/var/log/dpkg.log",
            "--force-depends", "--force-architecture", "--force-unsafe-io", *excluded, *words,
            said=said,
        )  # fmt: skip
        for device in _DEVICES:
            (root / "dev" / device).unlink()

    def drop_drivers(self) -> None:
        """Remove drivers of hardware that no terminal has, and update the kernel's lists."""
        modules = self._root / "usr/lib/modules"
        if not modules.exists() or not self._inputs.drivers_excluded:
            return
        version = kernel_in(self._root)
        self._commands.run("depmod", "-b", self._root, version)
        needs = needs_of((modules / version / "modules.dep").read_text(encoding="utf-8"))
        for driver in needs.keys() - kept_of(needs, self._inputs.drivers_excluded):
            (modules / version / driver).unlink()
        self._commands.run("depmod", "-b", self._root, version)

    def forget_the_making(self) -> None:
        """Remove files that differ between builds: logs, locks and identities."""
        for name in _PASSING:
            (self._root / name).unlink(missing_ok=True)
        for key in (self._root / "etc/ssh").glob("ssh_host_*"):
            key.unlink()
        for folder in ("tmp", "run", "var/cache/apt", "var/lib/apt", "var/cache/debconf"):
            shutil.rmtree(self._root / folder, ignore_errors=True)
        for folder, mode in (("tmp", 0o1777), ("run", 0o755)):
            (self._root / folder).mkdir()
            (self._root / folder).chmod(mode)


def made(
    layer_root: Path, inputs: LayerInputs, apt: Apt, commands: Commands, said: Said
) -> tuple[Package, ...]:
    """Install a layer's packages into a root and return them."""
    layer = Layer(layer_root, inputs, commands)
    apt.update()
    fetched = apt.fetch(inputs.packages)
    archives = [archive for archive in fetched if archive.name.split("_")[0] not in inputs.left_out]
    alone = apt.fetch_alone(inputs.unpacked, apt.folder / "alone")
    described = apt.described([*archives, *alone])
    layer.install(archives, said)
    layer.unpack(alone, said)
    layer.drop_drivers()
    layer.forget_the_making()
    return described
