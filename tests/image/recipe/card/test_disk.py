"""A small disk of a tiny tree, by the real tools, and read back by them."""

import os
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest

from image.recipe.card.disk import put_together, write_data, write_fat
from image.recipe.card.layout import MIB, Disk, identifier_of, uuid_of
from image.recipe.program.app import squash_tree
from image.recipe.requirements_check import find_tool
from image.recipe.run import Commands, StepFailed
from image.recipe.target import Architecture, Kind, Target

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
