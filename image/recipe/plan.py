"""The plan of an image, as a value: the steps in order, each with the hash of its inputs."""

import hashlib
from collections.abc import Iterable, Mapping
from enum import Enum
from pathlib import Path

import msgspec

from image.recipe.contents import Contents, Packages
from image.recipe.packages.layers import LayerInputs
from image.recipe.target import Target

_KEY_DIGITS = 16
LAYER_EPOCH = 1754697600
"""The time of all files in package layers, whatever the commit: the day of Debian 13's release."""


class Stage(Enum):
    """The steps in order, each described by its value."""

    BASE = "the packages of every image, installed"
    KIND = "the packages of this kind of machine, installed over them"
    APP = "Saloon's wheel, its locked distributions and their byte code"
    INITRAMFS = "the first root: busybox, init, drivers of disk and screen, what is read ahead"
    ROOT = "our files, users and units laid over the packages, as a squashfs"
    DISK = "boot partition, root and data put together to a disk, and the manifest"


class Step(msgspec.Struct, frozen=True):
    """A step, the hash of all its inputs, including earlier steps, and whether its result is cached."""

    stage: Stage
    key: str
    cached: bool


class Source(msgspec.Struct, frozen=True):
    """The checkout that an image is built from: version, commit and its time (seconds since 1970).

    ``files`` contains the hash of each relevant folder's files.
    """

    version: str
    commit: str
    epoch: int
    files: Mapping[str, str]


class Plan(msgspec.Struct, frozen=True):
    """All that determines an image's bytes, except the latest versions of packages."""

    target: Target
    contents: Contents
    source: Source
    sources: str
    steps: tuple[Step, ...]

    def step(self, stage: Stage) -> Step:
        return next(step for step in self.steps if step.stage is stage)

    def layer(self, stage: Stage) -> LayerInputs:
        base, kind = layers_of(self.target, self.contents, self.sources, self.source)
        return base if stage is Stage.BASE else kind


def digest(value: object) -> str:
    """Return the hash of a value, which is the same in every run."""
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()[:_KEY_DIGITS]


def digest_of_files(folders: Iterable[Path]) -> str:
    """Return the hash of the names, executable bits and contents of files, except compiled Python."""
    whole = hashlib.sha256()
    for folder in folders:
        files = (path for path in folder.rglob("*") if path.is_file() or path.is_symlink())
        for path in [folder] if folder.is_file() else sorted(files):
            if "__pycache__" in path.parts:
                continue
            content = str(path.readlink()).encode() if path.is_symlink() else path.read_bytes()
            runs = not path.is_symlink() and bool(path.stat().st_mode & 0o100)
            name = path.relative_to(folder).as_posix()
            whole.update(f"{name} {runs} {len(content)}\n".encode() + content)
    return whole.hexdigest()[:_KEY_DIGITS]


def _layer(
    packages: Packages, contents: Contents, target: Target, sources: str, source: Source
) -> LayerInputs:
    return LayerInputs(
        target.architecture,
        packages.packages,
        packages.unpacked,
        contents.files.excluded,
        (),
        sources,
        source.files["layers"],
        "",
        packages.left_out,
    )


def layers_of(
    target: Target, contents: Contents, sources: str, source: Source
) -> tuple[LayerInputs, LayerInputs]:
    """Return the inputs of the base layer, and of the kind's layer, which include the base layer's hash."""
    base = _layer(contents.base(target), contents, target, sources, source)
    base = msgspec.structs.replace(base, drivers_excluded=contents.files.drivers_excluded)
    kind = _layer(contents.of_kind(target.kind), contents, target, sources, source)
    return base, msgspec.structs.replace(kind, below=digest(base))


def cache_name(target: Target, step: Step) -> str:
    what = "base" if step.stage is Stage.BASE else target.kind.value
    return f"{what}-{target.architecture.value}-{step.key}.tar"


def plan_of(
    target: Target, contents: Contents, sources: str, source: Source, in_cache: frozenset[str]
) -> Plan:
    """Return the plan of an image.

    sources: the apt sources, rendered.
    in_cache: names of the files in the cache.
    """
    base, kind = layers_of(target, contents, sources, source)
    steps = []
    for stage, key in ((Stage.BASE, digest(base)), (Stage.KIND, digest(kind))):
        step = Step(stage, key, cached=False)
        steps.append(msgspec.structs.replace(step, cached=cache_name(target, step) in in_cache))
    of_kind = contents.of_kind(target.kind)
    release = (source.version, source.commit, target.name, source.epoch)
    packed = (contents.python, of_kind.python, of_kind.built)
    app = digest((packed, of_kind.programs, of_kind.without, source.files["app"], release))
    initramfs = digest((steps[1].key, app, source.files["initramfs"], source.files["layers"]))
    root = digest((steps[1].key, app, source.files["root"], source.files["layers"]))
    disk = digest((initramfs, root, source.files["boot"], source.epoch))
    keys = ((Stage.APP, app), (Stage.INITRAMFS, initramfs), (Stage.ROOT, root), (Stage.DISK, disk))
    steps += [Step(stage, key, cached=False) for stage, key in keys]
    return Plan(target, contents, source, sources, tuple(steps))
