"""The execution of a plan: each step works in a temporary folder, and results are moved into place."""

import fcntl
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from image.recipe.card.boot import write_boot
from image.recipe.card.disk import BOOT_SIZE, DATA_SIZE, put_together, write_data, write_fat
from image.recipe.card.initramfs import write_initramfs
from image.recipe.card.layout import Disk
from image.recipe.card.root import finish_root, squash_root, take_boot_files, unpack_drivers
from image.recipe.checkout import CHECKOUT
from image.recipe.manifest import Manifest, distributions_in, file_of, text_of
from image.recipe.packages.apt import Apt, Package
from image.recipe.packages.layers import empty_root, made
from image.recipe.packages.suite_files import SuiteFiles
from image.recipe.plan import LAYER_EPOCH, Plan, Stage, cache_name
from image.recipe.program.app import Release, byte_compile, squash_tree, write_app
from image.recipe.program.read_ahead import read_ahead
from image.recipe.progress import BuildProgress
from image.recipe.requirements_check import CannotBuild
from image.recipe.run import Commands
from image.recipe.target import Kind

_LAYERS_KEPT = 3
_FOLDERS_OF_PYTHON = ("usr/lib/python3", "usr/lib/python{python}")


@contextmanager
def working_folder(out: Path) -> Iterator[Path]:
    """Yield a folder that is removed afterwards, even if the build is interrupted.

    Only one build can run at a time. Raises CannotBuild if another one is running.
    """
    out.mkdir(parents=True, exist_ok=True)
    with (out / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CannotBuild(f"another build works in {out}: wait for it, or give --out") from error
        for left in out.glob("work-*"):
            shutil.rmtree(left)
        work = Path(tempfile.mkdtemp(prefix="work-", dir=out))
        try:
            # The root must be accessible to other users.
            work.chmod(0o755)
            yield work
        finally:
            shutil.rmtree(work)


class Builder:
    """The build of a plan. ``out`` is the folder of the results and the cache, ``work`` a temporary one."""

    def __init__(self, plan: Plan, out: Path, work: Path, shown: BuildProgress) -> None:
        self.plan = plan
        self._out = out
        self._work = work
        self._shown = shown
        self._cache = out / "cache"
        self._cache.mkdir(exist_ok=True)
        log = out / f"{plan.target.name}.log"
        log.write_text("", encoding="utf-8")
        self._commands = Commands(log, plan.source.epoch)
        self._layers = Commands(log, LAYER_EPOCH)
        self._files = SuiteFiles(plan.sources, plan.contents.python, self._cache, work, self._commands)
        self.release = Release(
            plan.source.version,
            plan.source.commit,
            plan.target.kind,
            plan.target.architecture,
            plan.source.epoch,
        )

    def _packages_of(self, stage: Stage) -> tuple[Package, ...]:
        return msgspec.json.decode(self._packages_file(stage).read_bytes(), type=tuple[Package, ...])

    def _packages_file(self, stage: Stage) -> Path:
        return self._cache / f"{cache_name(self.plan.target, self.plan.step(stage))}.json"

    def _fill(self, root: Path, stage: Stage) -> None:
        """Fill a root with a layer from the cache, which is made and cached first if necessary."""
        kept = self._cache / cache_name(self.plan.target, self.plan.step(stage))
        name = "base layer" if stage is Stage.BASE else f"{self.plan.target.kind.value} layer"
        if kept.exists():
            with self._shown.step(name) as said:
                said("from the cache")
                root.mkdir()
                self._commands.run("tar", "--numeric-owner", "-C", root, "-xf", kept)
            return
        if stage is Stage.KIND:
            self._fill(root, Stage.BASE)
        else:
            root.mkdir()
            empty_root(root, self.plan.target.architecture)
        self._make(root, stage, name)
        new = self._work / "layer.tar"
        self._commands.run("tar", "--numeric-owner", "-C", root, "-cf", new, ".")
        new.rename(kept)
        self._forget_old(kept.name.rpartition("-")[0])

    def _forget_old(self, what: str) -> None:
        """Remove old layers of a kind from the cache, but keep some for other branches of the project."""
        layers = sorted(self._cache.glob(f"{what}-*.tar"), key=lambda path: path.stat().st_mtime)
        for layer in layers[:-_LAYERS_KEPT]:
            layer.unlink()
            layer.with_name(f"{layer.name}.json").unlink(missing_ok=True)

    def _make(self, root: Path, stage: Stage, name: str) -> None:
        inputs = self.plan.layer(stage)
        folder = self._work / f"apt-{stage.name.lower()}"
        apt = Apt(folder, inputs.architecture, inputs.sources, root, self._layers)
        with self._shown.step(name) as said:
            said("lists and packages are fetched")
            packages = made(root, inputs, apt, self._layers, said)
            if stage is Stage.KIND:
                said("byte code")
                packages += self._packages_of(Stage.BASE)
                for pattern in _FOLDERS_OF_PYTHON:
                    place = pattern.format(python=self.plan.contents.python)
                    byte_compile(root / place, f"/{place}", self._files.python(), self._layers)
        new = self._work / "packages.json"
        new.write_bytes(msgspec.json.encode(tuple(sorted(packages))))
        new.rename(self._packages_file(stage))
        shutil.rmtree(folder)

    def app(self, tree: Path) -> None:
        """Make the tree of /opt/saloon."""
        with self._shown.step("saloon") as said:
            said("wheels of the lock, wheel of the checkout")
            write_app(self.plan.contents, self.release, tree, self._files, self._commands)

    def image(self) -> tuple[Path, Manifest]:
        """Make the whole image and return its file, moved into place, and its manifest."""
        work, target = self._work, self.plan.target
        self.app(work / "app")
        root, taken, initrd = work / "root", work / "taken", work / "initrd.img"
        self._fill(root, Stage.KIND)
        with self._shown.step("initramfs") as said:
            said("drivers")
            unpack_drivers(root, self._commands)
            (work / "initramfs").mkdir()
            ours, ahead = CHECKOUT / "image/initramfs", self._ahead(root)
            write_initramfs(root, ours, initrd, work / "initramfs", self._commands, ahead=ahead)
        with self._shown.step("root") as said:
            said("our files, users, units")
            taken.mkdir()
            take_boot_files(root, taken)
            finish_root(CHECKOUT, target.kind.value, work / "app", root, self._commands)
            said("squashfs")
            squash_root(root, work / "root.squashfs", self._commands)
        with self._shown.step("disk") as said:
            said("boot partition, data, table")
            write_boot(CHECKOUT, target, taken=taken, initrd=initrd, boot=work / "boot")
            write_fat(work / "boot", work / "boot.img", target, BOOT_SIZE, self._commands)
            write_data(work / "data.img", target, DATA_SIZE, self._commands)
            parts = (work / "boot.img", work / "root.squashfs", work / "data.img")
            disk = put_together(parts, target, work / "disk.img", self._commands)
            manifest = self._manifest(disk)
        return self._put_in_place(manifest), manifest

    def _ahead(self, root: Path) -> tuple[str, ...]:
        if self.plan.target.kind is not Kind.TERMINAL:
            return ()
        return read_ahead(root, self._work / "app", self.plan.contents.python, self._commands)

    def _manifest(self, disk: Disk) -> Manifest:
        work = self._work
        unpacked = {name for stage in (Stage.BASE, Stage.KIND) for name in self.plan.layer(stage).unpacked}
        files = {
            "disk": file_of(work / "disk.img"),
            "boot": file_of(work / "boot.img"),
            "root": file_of(work / "root.squashfs"),
            "data": file_of(work / "data.img"),
            "kernel": file_of(work / "boot/vmlinuz"),
            "initramfs": file_of(work / "initrd.img"),
        }
        return Manifest(
            release=self.release,
            epoch=self.plan.source.epoch,
            suite=self.plan.contents.suite,
            disk=disk,
            files=files,
            packages=self._packages_of(Stage.KIND),
            unpacked=tuple(sorted(unpacked)),
            byte_code=self._commands.output(*self._files.python(), "--version").strip(),
            distributions=distributions_in(work / "app/lib"),
        )

    def _put_in_place(self, manifest: Manifest) -> Path:
        """Replace earlier results with the new ones. The manifest comes last, as it describes the others."""
        name, work = self.plan.target.name, self._work
        (work / "manifest.json").write_bytes(text_of(manifest))
        (self._out / f"{name}.json").unlink(missing_ok=True)
        made_here = {
            "img": work / "disk.img",
            "vmlinuz": work / "boot/vmlinuz",
            "initrd": work / "initrd.img",
            "json": work / "manifest.json",
        }
        for ending, path in made_here.items():
            path.rename(self._out / f"{name}.{ending}")
        return self._out / f"{name}.img"

    def app_squashfs(self) -> Path:
        """Make only the tree of /opt/saloon, as the squashfs for an update, and return its file."""
        self.app(self._work / "app")
        squash_tree(self._work / "app", self._work / "app.squashfs", self._commands)
        there = self._out / f"{self.plan.target.name}-app.squashfs"
        (self._work / "app.squashfs").rename(there)
        return there
