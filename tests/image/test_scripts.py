"""The scripts of the root, at work on folders and disk files; tests/boot has a whole machine."""

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.image.laid_out import IMAGE

SCRIPTS = IMAGE / "common/root/usr/lib/saloon"
MIB = 1024 * 1024
TABLE = """label: dos
start=8192, size=8192, type=c, bootable
start=16384, size=16384, type=83
start=32768, size=32768, type=83
"""
START = 32768 * 512


def run(script: str, *arguments: str, root: Path | None = None) -> str:
    environment = {**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin"}
    if root is not None:
        environment["ROOT"] = str(root)
    done = subprocess.run(
        [str(SCRIPTS / script), *arguments], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def command(*words: str) -> str:
    environment = {**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin"}
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def board(tmp_path: Path) -> Path:
    for folder in ("data", "etc", "dev", "proc/sys/kernel"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "etc/machine-id").write_text("0123456789abcdef0123456789abcdef\n", encoding="ascii")
    (tmp_path / "proc/sys/kernel/hostname").write_text("saloon-table\n", encoding="ascii")
    return tmp_path


@pytest.mark.skipif(
    subprocess.run(["unshare", "-r", "-m", "true"], capture_output=True, check=False).returncode != 0,
    reason="needs namespaces of its own",
)
def test_a_second_stick_neither_hides_the_first_nor_is_unmounted_in_its_place(tmp_path: Path) -> None:
    for name in ("first", "second", "place"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "is").write_text(name, encoding="ascii")
    place = tmp_path / "place"
    done = subprocess.run(
        [
            "unshare", "-r", "-m", "sh", "-c",
            '"$0" first bind; "$0" second bind || echo left; cat place/is; umount place; cat place/is',
            str(SCRIPTS / "mount-stick"),
        ],
        cwd=tmp_path, env={**os.environ, "PLACE": str(place), "LOCK": str(tmp_path / "lock")},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["left", "firstplace"]
    assert "a stick is in already" in done.stderr


def test_the_first_start_keeps_the_machine_id_and_the_next_ones_find_it(board: Path) -> None:
    for _ in range(2):
        run("data", root=board)
        kept = (board / "data/system/machine-id").read_bytes()
        assert kept == (board / "etc/machine-id").read_bytes()
    assert (board / "data/system").stat().st_mode & 0o777 == 0o700
    assert (board / "data/saloon").is_dir()


def test_chance_is_carried_to_the_next_start_and_used_once(board: Path) -> None:
    run("data", root=board)
    first = (board / "data/system/random-seed").read_bytes()
    run("data", root=board)
    assert (board / "dev/urandom").read_bytes() == first
    assert len(first) == 64
    assert (board / "data/system/random-seed").read_bytes() != first


@pytest.mark.parametrize(
    ("kept", "name"),
    [
        ("saloon-table-12\n", "saloon-table-12"),
        ("", "saloon-table"),
        ("-x\n", "saloon-table"),
        ("a b\n", "saloon-table"),
        ("$(reboot)\n", "saloon-table"),
        ("../x\nsecond", "saloon-table"),
    ],
)
def test_the_board_is_called_as_the_provisioning_file_says(board: Path, kept: str, name: str) -> None:
    (board / "data/system").mkdir()
    (board / "data/system/hostname").write_text(kept, encoding="ascii")
    run("data", root=board)
    assert (board / "proc/sys/kernel/hostname").read_text(encoding="ascii").strip() == name


def test_a_copy_of_the_journal_is_whole(tmp_path: Path) -> None:
    run("logs", str(tmp_path / "logs"))
    copy = Path(run("logs", str(tmp_path / "logs")).split()[-1])
    assert copy in set((tmp_path / "logs").iterdir())
    subprocess.run(["gzip", "-t", str(copy)], check=True)
    assert not list((tmp_path / "logs").glob("*.new"))


def table_of(disk: Path) -> list[Mapping[str, int]]:
    partitions: list[Mapping[str, int]] = json.loads(command("sfdisk", "-J", str(disk)))["partitiontable"][
        "partitions"
    ]
    return partitions


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    """A card of 32 MiB on which an image of 32 MiB was written, then one of 96 MiB with the same bytes."""
    made = tmp_path / "card.img"
    with made.open("wb") as out:
        out.truncate(32 * MIB)
    subprocess.run(
        ["/usr/sbin/sfdisk", "--quiet", str(made)], input=TABLE, text=True, check=True, capture_output=True
    )
    command("mke2fs", "-q", "-t", "ext4", "-b", "4096", "-E", f"offset={START}", str(made), "4096")
    with made.open("r+b") as out:
        out.truncate(96 * MIB)
    return made


def test_the_data_partition_grows_to_the_end_of_the_card_and_the_others_stay(disk: Path) -> None:
    before = table_of(disk)
    for _ in range(2):
        run("grow", "--table", str(disk), "3")
        after = table_of(disk)
        assert after[:2] == before[:2]
        assert after[2]["start"] == before[2]["start"]
        assert (after[2]["start"] + after[2]["size"]) * 512 == 96 * MIB


def blocks_of(disk: Path) -> int:
    """The number of blocks that the superblock of the data partition states (kernel: ext4 disk layout)."""
    with disk.open("rb") as file:
        file.seek(START + 1024 + 4)
        return int.from_bytes(file.read(4), "little")


def test_what_was_on_it_is_there_when_the_file_system_has_grown_too(disk: Path) -> None:
    run("grow", "--table", str(disk), "3")
    # The power went between table and file system: the next start finds a larger partition and goes on.
    command("resize2fs", f"{disk}?offset={START}", "20480")
    command("e2fsck", "-f", "-n", f"{disk}?offset={START}")
    assert blocks_of(disk) == 20480


@pytest.mark.parametrize(
    "script", ["station/root/usr/lib/saloon/station-prepare", "terminal/root/usr/lib/saloon/provision"]
)
def test_the_cards_file_is_imported_from_a_boot_partition_that_cannot_be_written(
    tmp_path: Path, script: str
) -> None:
    """Otherwise a worn card would keep the hall from its station, or a terminal from its Wi-Fi."""
    for folder in ("bin", "boot/firmware", "data/station"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "boot/firmware/saloon-station.toml").touch()
    program = tmp_path / "bin/program"
    for name, line in {
        "findmnt": "echo ro,relatime",
        "mount": 'case "$*" in *remount,rw*) exit 32 ;; esac',
        "install": "exit 0",
        "program": f'echo "$1 $2" >> {tmp_path}/imported',
    }.items():
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{line}\n", encoding="ascii")
        (tmp_path / "bin" / name).chmod(0o755)
    text = (IMAGE / script).read_text(encoding="utf-8")
    for path in ("/run/saloon/app/bin/saloon-terminal", "/usr/lib/saloon/name-host"):
        text = text.replace(path, str(program))
    places = {"ROOT": str(tmp_path), "PROGRAM": str(program)}
    environment = {**os.environ, **places, "PATH": f"{tmp_path}/bin:{os.environ['PATH']}"}
    subprocess.run(["sh", "-c", text], env=environment, capture_output=True, check=True)
    imported = (tmp_path / "imported").read_text(encoding="utf-8")
    assert imported.startswith(("computer prepare", "boot-file /boot/firmware/saloon.toml"))
