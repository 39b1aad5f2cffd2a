"""Cards and files that are written over: which are refused, and what is read back."""

from pathlib import Path

import pytest

from base.errors import BadData, Unavailable
from station.sd_cards.card_image import (
    CardImage,
    Disk,
    card_image,
    copy_image,
    disk_at,
    unused_model,
    write_card,
)
from station.sd_cards.fat32 import Patch
from tests.station.card_rig import image_file


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> CardImage:
    return card_image(image_file(tmp_path_factory.mktemp("image") / "saloon.img"))


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """Return the kernel's files about a reader with a card of two parts, and about a disk with the system."""
    root = tmp_path / "system"
    for number, parts, model in (
        ("8:16", ("8:17", "8:18"), "Generic  STORAGE DEVICE\n"),
        ("8:0", ("8:1",), "SSD"),
    ):
        disk = root / "sys/dev/block" / number
        (disk / "device").mkdir(parents=True)
        (disk / "device/model").write_text(model, encoding="utf-8")
        (disk / "dev").write_text(f"{number}\n", encoding="ascii")
        for part in parts:
            for place in (disk / f"part{part[-1]}", root / "sys/dev/block" / part):
                (place / "holders").mkdir(parents=True)
                (place / "partition").write_text(part[-1], encoding="ascii")
                (place / "dev").write_text(f"{part}\n", encoding="ascii")
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/mountinfo").write_text("22 1 8:1 / / rw - ext4 /dev/sda1 rw\n", encoding="utf-8")
    return root


def mount(system: Path, number: str, place: str) -> None:
    with (system / "proc/self/mountinfo").open("a", encoding="utf-8") as table:
        table.write(f"40 22 {number} / {place} rw - vfat /dev/sdb1 rw\n")


def test_a_card_in_a_reader_is_named_by_its_maker(system: Path) -> None:
    assert unused_model(Path("/dev/sdb"), "8:16", system) == "Generic STORAGE DEVICE"
    disk = Disk(Path("/dev/sdb"), 31_914_983_424, "Generic STORAGE DEVICE")
    assert str(disk) == "Generic STORAGE DEVICE, 31.9 GB (/dev/sdb)"


def test_a_disk_in_use_is_refused(system: Path) -> None:
    with pytest.raises(BadData, match="in use at /: unmount it"):
        unused_model(Path("/dev/sda"), "8:0", system)
    mount(system, "8:18", "/media/card")
    with pytest.raises(BadData, match="in use at /media/card: unmount"):
        unused_model(Path("/dev/sdb"), "8:16", system)


def test_a_disk_below_another_is_refused(system: Path) -> None:
    (system / "sys/dev/block/8:16/part7/holders/dm-0").mkdir(parents=True)
    with pytest.raises(BadData, match="this computer uses it"):
        unused_model(Path("/dev/sdb"), "8:16", system)


def test_a_part_of_a_disk_is_refused(system: Path) -> None:
    with pytest.raises(BadData, match="name the whole disk"):
        unused_model(Path("/dev/sdb1"), "8:17", system)


def test_what_is_no_disk_is_refused(image: CardImage, tmp_path: Path) -> None:
    with pytest.raises(BadData, match="no disk and no file"):
        disk_at(Path("/dev/null"), image)
    with pytest.raises(Unavailable, match="no such disk"):
        disk_at(Path("/dev/no-such-disk"), image)
    with pytest.raises(Unavailable, match="no such disk"):
        disk_at(tmp_path / "none" / "card", image)


@pytest.mark.slow
def test_a_card_is_written_over_whole_and_compared(image: CardImage, tmp_path: Path) -> None:
    card = tmp_path / "card"
    card.write_bytes(b"\xff" * (image.size + 5000))
    sizes: list[int] = []
    patch = Patch(image.boot + 512 * 40, b"here" * 128)
    write_card(image, (patch,), disk_at(card, image), sizes.append)
    expected = bytearray(image.path.read_bytes())
    expected[patch.start : patch.start + 512] = patch.content
    assert card.read_bytes() == expected
    assert sum(sizes) == 2 * image.size


def test_a_card_that_loses_what_was_written_is_found(image: CardImage, tmp_path: Path) -> None:
    card = tmp_path / "card"
    written = 0

    def forget(done: int) -> None:
        nonlocal written
        written += done
        if written == image.size:
            with card.open("r+b") as file:
                file.seek(image.boot + 100_000)
                file.write(b"\x55")

    with pytest.raises(Unavailable, match=r"wrong bytes .* take another card"):
        write_card(image, (), disk_at(card, image), forget)


def test_a_card_that_is_full_or_refuses_is_told(image: CardImage, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="No space left"):
        write_card(image, (), Disk(Path("/dev/full"), 0, ""), lambda _done: None)
    with pytest.raises(Unavailable, match="Not a directory"):
        copy_image(image, (), image.path / "card", lambda _done: None)


def test_a_copy_takes_no_room_for_what_is_empty(image: CardImage, tmp_path: Path) -> None:
    copy = tmp_path / "copy.img"
    copy_image(image, (), copy, lambda _done: None)
    assert copy.read_bytes() == image.path.read_bytes()
    assert copy.stat().st_blocks * 512 < image.size // 2
    assert oct(copy.stat().st_mode)[-3:] == "600"
