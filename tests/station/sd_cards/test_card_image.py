"""A provisioning file inside an image, read back by mtools and fsck, and the card that it is written to."""

import datetime as dt
import random
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from base.errors import BadData, Unavailable
from station.sd_cards.card_image import (
    CardImage,
    Disk,
    card_image,
    copy_image,
    disk_at,
    pieces,
    provisioning_patches,
    unused_model,
    write_card,
)
from station.sd_cards.fat32 import Patch, patches_for_file
from tests.station.card_rig import BOOT, ROOT, image_file, is_sound, listed, read_back

WHEN = dt.datetime(2026, 11, 21, 22, 45, tzinfo=dt.UTC)
TOML = "[station]\n" + "# a line that makes it longer\n" * 60


def written(image: Path, toml: str = TOML) -> Path:
    ours = card_image(image)
    card = image.with_suffix(".card")
    card.write_bytes(b"".join(pieces(ours, provisioning_patches(ours, toml, WHEN))))
    return card


@pytest.fixture(scope="session")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return image_file(tmp_path_factory.mktemp("image") / "saloon.img", files={"config.txt": b"arm_64bit=1\n"})


@pytest.fixture
def ours(image: Path) -> CardImage:
    return card_image(image)


@pytest.mark.slow
def test_the_file_is_there_and_everything_else_as_before(image: Path) -> None:
    before = image.read_bytes()
    card = written(image)
    assert read_back(card) == TOML.encode()
    assert read_back(card, "config.txt") == b"arm_64bit=1\n"
    assert listed(card) == ["config.txt", "saloon.toml"]
    assert is_sound(card)
    assert image.read_bytes() == before
    after = card.read_bytes()
    assert len(after) == len(before)
    assert after[:BOOT] == before[:BOOT]
    assert after[ROOT:] == before[ROOT:]


@pytest.mark.slow
def test_a_second_file_takes_the_place_of_the_first_and_leaves_nothing_of_it(image: Path) -> None:
    first = written(image, "token = 'the first secret'\n" * 200)
    second = written(first, "token = 'second'\n")
    assert read_back(second) == b"token = 'second'\n"
    assert listed(second) == ["config.txt", "saloon.toml"]
    assert is_sound(second)
    assert b"the first secret" not in second.read_bytes()


@pytest.mark.by_day(3)
@pytest.mark.slow
@pytest.mark.parametrize("size", [0, 1, 511, 512, 513, 16_384])
def test_a_file_of_any_size_is_whole(image: Path, size: int) -> None:
    toml = "x" * size
    card = written(image, toml)
    assert read_back(card) == toml.encode()
    assert is_sound(card)


@pytest.mark.slow
def test_a_full_folder_grows(tmp_path: Path) -> None:
    # One cluster has room for 16 entries: its label, and these.
    image = image_file(tmp_path / "many.img", files={f"F{number}.TXT": b"x" for number in range(15)})
    card = written(image)
    assert read_back(card) == TOML.encode()
    assert len(listed(card)) == 16
    assert is_sound(card)


@pytest.mark.slow
def test_a_name_of_old_programs_that_is_taken_is_left_alone(tmp_path: Path) -> None:
    image = image_file(tmp_path / "near.img", files={"saloon.tomato": b"red"})
    card = written(image)
    assert read_back(card) == TOML.encode()
    assert read_back(card, "saloon.tomato") == b"red"
    assert is_sound(card)


def test_what_is_no_image_of_ours_is_refused(tmp_path: Path, image: Path) -> None:
    other = image_file(tmp_path / "other.img", label="OTHER")
    with pytest.raises(BadData, match="its boot partition is called 'OTHER'"):
        card_image(other)
    for content, said in (
        (b"", "no image of a disk"),
        (b"\0" * 4096, "no image of a disk"),
        (bytes(510) + b"\x55\xaa" + bytes(4096), "other partitions"),
        (image.read_bytes()[:BOOT], "other partitions"),
    ):
        wrong = tmp_path / "wrong.img"
        wrong.write_bytes(content)
        with pytest.raises(BadData, match=said):
            card_image(wrong)
    with pytest.raises(Unavailable, match="No such file"):
        card_image(tmp_path / "none.img")


def test_a_full_card_is_told(tmp_path: Path) -> None:
    image = image_file(tmp_path / "full.img", files={"BIG.BIN": bytes(33_500_000)})
    with pytest.raises(BadData, match="it is full"):
        written(image, "x" * 2_000_000)


@given(st.integers(0, 2**32))
@example(3918)  # it leads beyond the end of the disk
def test_a_damaged_file_system_is_refused_or_changed_but_never_for_ever(seed: int) -> None:
    chance = random.Random(seed)
    disk = bytearray(SMALL)
    for _hit in range(chance.randint(1, 30)):
        disk[chance.choice((chance.randrange(90), chance.randrange(len(disk))))] = chance.randrange(256)

    def read(start: int, size: int) -> bytes:
        return bytes(disk[start : start + size]).ljust(size, b"\0") if start < 1 << 40 else b""

    try:
        patches = patches_for_file(read, 0, "saloon.toml", b"x" * 3000, WHEN)
    except BadData:
        return
    assert sum(len(patch.content) for patch in patches) < 1 << 20


def _small() -> bytes:
    """Return the beginning of a sound file system, up to its root folder."""
    reserved, size = 32, 520
    boot = bytearray(512)
    boot[11:13], boot[13], boot[14:16], boot[16] = (
        (512).to_bytes(2, "little"),
        1,
        (32).to_bytes(2, "little"),
        1,
    )
    boot[32:36], boot[36:40] = (66_000).to_bytes(4, "little"), size.to_bytes(4, "little")
    boot[44:48], boot[48:50] = (2).to_bytes(4, "little"), (1).to_bytes(2, "little")
    boot[82:90], boot[510:] = b"FAT32   ", b"\x55\xaa"
    table = bytearray(512)
    table[0:12] = b"\xf8\xff\xff\x0f\xff\xff\xff\x0f\xff\xff\xff\x0f"
    return bytes(boot) + bytes((reserved - 1) * 512) + bytes(table) + bytes((size - 1) * 512) + bytes(16_384)


SMALL = _small()


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """Create the kernel's files about a reader with a partitioned card, and about the system's disk."""
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


def test_what_is_no_disk_is_refused(ours: CardImage, tmp_path: Path) -> None:
    with pytest.raises(BadData, match="no disk and no file"):
        disk_at(Path("/dev/null"), ours)
    with pytest.raises(Unavailable, match="no such disk"):
        disk_at(Path("/dev/no-such-disk"), ours)
    with pytest.raises(Unavailable, match="no such disk"):
        disk_at(tmp_path / "none" / "card", ours)


@pytest.mark.slow
def test_a_card_is_written_over_whole_and_compared(ours: CardImage, tmp_path: Path) -> None:
    card = tmp_path / "card"
    card.write_bytes(b"\xff" * (ours.size + 5000))
    sizes: list[int] = []
    patch = Patch(ours.boot + 512 * 40, b"here" * 128)
    write_card(ours, (patch,), disk_at(card, ours), sizes.append)
    expected = bytearray(ours.path.read_bytes())
    expected[patch.start : patch.start + 512] = patch.content
    assert card.read_bytes() == expected
    assert sum(sizes) == 2 * ours.size


def test_a_card_that_loses_what_was_written_is_found(ours: CardImage, tmp_path: Path) -> None:
    card = tmp_path / "card"
    written = 0

    def forget(done: int) -> None:
        nonlocal written
        written += done
        if written == ours.size:
            with card.open("r+b") as file:
                file.seek(ours.boot + 100_000)
                file.write(b"\x55")

    with pytest.raises(Unavailable, match=r"wrong bytes .* take another card"):
        write_card(ours, (), disk_at(card, ours), forget)


def test_a_card_that_is_full_or_refuses_is_told(ours: CardImage) -> None:
    with pytest.raises(Unavailable, match="No space left"):
        write_card(ours, (), Disk(Path("/dev/full"), 0, ""), lambda _done: None)
    with pytest.raises(Unavailable, match="Not a directory"):
        copy_image(ours, (), ours.path / "card", lambda _done: None)


def test_a_copy_takes_no_room_for_what_is_empty(ours: CardImage, tmp_path: Path) -> None:
    copy = tmp_path / "copy.img"
    copy_image(ours, (), copy, lambda _done: None)
    assert copy.read_bytes() == ours.path.read_bytes()
    assert copy.stat().st_blocks * 512 < ours.size // 2
    assert oct(copy.stat().st_mode)[-3:] == "600"
