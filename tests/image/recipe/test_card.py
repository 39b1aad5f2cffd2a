"""The files and partitions of a card."""

import lzma
import os
import shutil
import subprocess
import uuid
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from image.recipe.card import cpio
from image.recipe.card.disk import put_together, write_data, write_fat
from image.recipe.card.drivers import kept_of, name_of, named, names_in, needs_of
from image.recipe.card.layout import ALIGNED, MIB, SECTOR, Disk, identifier_of, laid_out, uuid_of
from image.recipe.card.root import unpack_drivers
from image.recipe.program.app import squash_tree
from image.recipe.requirements_check import find_tool
from image.recipe.run import Commands, StepFailed
from image.recipe.target import Architecture, Kind, Target


def test_the_archive_is_read_by_cpio_itself(tmp_path: Path) -> None:
    program = shutil.which("cpio")
    assert program is not None, "cpio is missing: apt install cpio"
    entries = {
        "init": cpio.file(b"#!/bin/sh\n", executable=True),
        "lib/modules/1/x.ko": cpio.file(b"abc"),
        "bin/sh": cpio.link("busybox"),
        "dev": cpio.folder(),
    }
    subprocess.run([program, "-i", "-d", "--quiet"], input=cpio.archive(entries), cwd=tmp_path, check=True)
    assert (tmp_path / "lib/modules/1/x.ko").read_bytes() == b"abc"
    assert (tmp_path / "bin/sh").readlink() == Path("busybox")
    assert (tmp_path / "init").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "dev").is_dir()


@given(st.dictionaries(st.sampled_from(["a", "b/c", "b/d", "e/f/g"]), st.binary(max_size=20)))
def test_order_does_not_matter_and_folders_come_before_what_is_in_them(files: dict[str, bytes]) -> None:
    entries = {name: cpio.file(content) for name, content in files.items()}
    turned = dict(reversed(entries.items()))
    whole = cpio.archive(entries)
    assert whole == cpio.archive(turned)
    assert len(whole) % 512 == 0
    for name in entries:
        if "/" in name:
            folder = name.rpartition("/")[0].encode()
            assert whole.index(folder + b"\0") < whole.index(name.encode() + b"\0")


TARGET = Target(Kind.TERMINAL, Architecture.ARM64)
EPOCH = 1_700_000_000


def tool(name: str) -> str:
    path = find_tool(name)
    assert path is not None, f"{name} is missing: make system"
    return path


def made_in(folder: Path) -> tuple[Path, Disk]:
    """The disk made in a folder of its own, out of files with other times and in another order."""
    commands = Commands(folder / "log", EPOCH)
    (folder / "boot/overlays").mkdir(parents=True)
    (folder / "root/etc").mkdir(parents=True)
    names = ["cmdline.txt", "config.txt", "overlays/x.dtbo"]
    for name in names if folder.name == "a" else reversed(names):
        (folder / "boot" / name).write_text(name, encoding="utf-8")
    (folder / "root/etc/hostname").write_text("table\n", encoding="utf-8")
    (folder / "root/etc/link").symlink_to("hostname")
    os.utime(folder / "root/etc/hostname", (EPOCH + len(folder.name), 5))
    boot, root, data = (folder / f"{name}.img" for name in ("boot", "root", "data"))
    write_fat(folder / "boot", boot, TARGET, 66 * MIB, commands)
    squash_tree(folder / "root", root, commands)
    write_data(data, TARGET, 8 * MIB, commands)
    return folder / "disk.img", put_together((boot, root, data), TARGET, folder / "disk.img", commands)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Disk]:
    folder = tmp_path_factory.mktemp("disks") / "a"
    folder.mkdir()
    return made_in(folder)


def part(made: tuple[Path, Disk], number: int, there: Path) -> Path:
    path, disk = made
    place = disk.partitions[number - 1]
    with path.open("rb") as whole:
        whole.seek(place.start)
        there.write_bytes(whole.read(place.size))
    return there


def test_the_table_is_what_was_planned(first: tuple[Path, Disk]) -> None:
    path, disk = first
    said = subprocess.run([tool("sfdisk"), "--json", str(path)], capture_output=True, check=True).stdout
    table = msgspec.json.decode(said)["partitiontable"]
    assert table["label"] == "dos"
    assert table["id"] == f"0x{identifier_of(TARGET)}"
    assert [(p["start"] * 512, p["size"] * 512) for p in table["partitions"]] == [
        (p.start, p.size) for p in disk.partitions
    ]
    assert path.stat().st_size == disk.size
    # What the initramfs looks for: the identifier, as the table has it, at byte 440.
    assert path.read_bytes()[440:444][::-1].hex() == identifier_of(TARGET)


@pytest.mark.slow
def test_the_boot_partition_is_read_by_its_tools(first: tuple[Path, Disk], tmp_path: Path) -> None:
    boot = part(first, 1, tmp_path / "boot.img")
    said = subprocess.run([tool("mtype"), "-i", boot, "::/overlays/x.dtbo"], capture_output=True, check=True)
    assert said.stdout == b"overlays/x.dtbo"
    listing = subprocess.run([tool("mdir"), "-i", boot, "::/"], capture_output=True, text=True, check=True)
    assert "SALOON" in listing.stdout


def test_the_root_is_read_by_its_tools(first: tuple[Path, Disk], tmp_path: Path) -> None:
    root = part(first, 2, tmp_path / "root.img")
    out = tmp_path / "out"
    subprocess.run(
        [tool("unsquashfs"), "-q", "-n", "-no-xattrs", "-d", out, root], capture_output=True, check=True
    )
    assert (out / "etc/hostname").read_text() == "table\n"
    assert (out / "etc/link").readlink() == Path("hostname")


def test_the_data_is_a_sound_file_system_with_its_name(first: tuple[Path, Disk], tmp_path: Path) -> None:
    data = part(first, 3, tmp_path / "data.img")
    subprocess.run([tool("e2fsck"), "-fn", data], capture_output=True, check=True)
    said = subprocess.run([tool("dumpe2fs"), "-h", data], capture_output=True, text=True, check=True).stdout
    assert "saloon-data" in said
    assert uuid_of(TARGET, "data") in said


@pytest.mark.slow
def test_the_same_files_are_the_same_disk(first: tuple[Path, Disk], tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    again, _disk = made_in(tmp_path / "b")
    assert again.read_bytes() == first[0].read_bytes()


def test_a_command_that_fails_is_named_with_what_it_said(tmp_path: Path) -> None:
    commands = Commands(tmp_path / "log", EPOCH)
    with pytest.raises(StepFailed, match="unknown-file"):
        commands.run("mksquashfs", tmp_path / "unknown-file", tmp_path / "x")
    assert "unknown-file" in (tmp_path / "log").read_text()
    assert shutil.which("mksquashfs") is not None


MODULES_DEP = """kernel/drivers/gpu/drm/vc4/vc4.ko: kernel/sound/core/snd.ko kernel/drivers/media/cec/cec.ko
kernel/sound/core/snd.ko:
kernel/sound/usb/snd-usb.ko: kernel/sound/core/snd.ko
kernel/drivers/media/cec/cec.ko:
kernel/drivers/media/tv.ko: kernel/drivers/media/cec/cec.ko
kernel/fs/squashfs/squashfs.ko.xz:
"""
NEEDS = needs_of(MODULES_DEP)


def test_what_a_kept_driver_needs_is_kept_also_out_of_an_excluded_folder() -> None:
    kept = {name_of(driver) for driver in kept_of(NEEDS, ("sound", "drivers/media"))}
    assert kept == {"vc4", "snd", "cec", "squashfs"}


def test_nothing_excluded_keeps_everything() -> None:
    assert kept_of(NEEDS, ()) == set(NEEDS)


def test_drivers_are_named_as_the_kernel_does() -> None:
    assert {name_of(d) for d in named(("snd_usb", "squashfs", "built-in"), NEEDS)} == {
        "snd_usb",
        "snd",
        "squashfs",
    }


@pytest.mark.parametrize("text", ["a\n# b\n\n c # d\n", "a\nc"])
def test_a_list_of_names_has_remarks(text: str) -> None:
    assert list(names_in(text)) == ["a", "c"]


TARGETS = [Target(kind, architecture) for kind in Kind for architecture in Architecture]
SIZES = st.integers(min_value=1, max_value=8 * 1024 * MIB)


@given(st.sampled_from(TARGETS), SIZES, SIZES, SIZES)
def test_partitions_hold_their_parts_are_aligned_and_never_overlap(
    target: Target, boot: int, root: int, data: int
) -> None:
    disk = laid_out(target, boot, root, data)
    end = SECTOR
    for part, size in zip(disk.partitions, (boot, root, data), strict=True):
        assert part.start >= end
        assert part.start % ALIGNED == part.size % ALIGNED == 0
        assert part.size >= size
        end = part.end
    assert disk.size == end


def test_a_pi_and_a_pc_find_their_boot_partition() -> None:
    kinds = {t.architecture: laid_out(t, MIB, MIB, MIB).partitions[0].mbr_type for t in TARGETS}
    assert kinds == {Architecture.ARM64: "c", Architecture.AMD64: "ef"}


def test_every_target_has_its_own_disk_and_keeps_it() -> None:
    assert len({identifier_of(target) for target in TARGETS}) == len(TARGETS)
    assert identifier_of(Target(Kind.TERMINAL, Architecture.ARM64)) == "5396f211"
    names = {uuid_of(target, part) for target in TARGETS for part in ("boot", "data")}
    assert len(names) == 2 * len(TARGETS)
    assert all(str(uuid.UUID(name)) == name for name in names)


def test_the_table_is_said_in_sectors() -> None:
    script = laid_out(TARGETS[0], 128 * MIB, 5, 64 * MIB).script()
    assert "label-id: 0x" in script
    assert "start=8192, size=262144, type=c, bootable" in script
    assert "start=270336, size=8192, type=83" in script


DEPMOD = shutil.which("depmod", path="/usr/sbin:/sbin:/usr/bin")


@pytest.mark.skipif(DEPMOD is None, reason="this machine has no depmod")
def test_drivers_are_plain_files_in_an_image_and_the_kernels_list_names_them_so(tmp_path: Path) -> None:
    folder = tmp_path / "root/usr/lib/modules/6.12.0-arm64"
    (folder / "kernel/fs").mkdir(parents=True)
    driver = Path("/bin/true").resolve().read_bytes()
    (folder / "kernel/fs/some.ko.xz").write_bytes(lzma.compress(driver))
    (tmp_path / "root/lib").symlink_to("usr/lib")
    unpack_drivers(tmp_path / "root", Commands(tmp_path / "log", 0))
    assert (folder / "kernel/fs/some.ko").read_bytes() == driver
    assert not list(folder.rglob("*.xz"))
    assert (folder / "modules.dep").read_text(encoding="utf-8").startswith("kernel/fs/some.ko:")
