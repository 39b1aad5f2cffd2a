"""Copies on a stick: real files, real kills in the middle of writing."""

import datetime as dt
import subprocess
import sys
from pathlib import Path

import pytest

from base.errors import Unavailable
from station.appliance.stick import FOLDER, Stick, StickFull, StickPulled, StickReadOnly, mark_of

MARK = "1a2b3c4d"
NOON = dt.datetime(2026, 11, 21, 12, 0, 0)  # noqa: DTZ001 (the hall's)
BIG = 40 * 1024 * 1024


def stick_at(folder: Path) -> Stick:
    return Stick(folder, Path.is_dir)


def test_a_copy_is_whole_and_named_by_number_and_time(tmp_path: Path) -> None:
    stick = stick_at(tmp_path)
    copy = stick.write(b"first", MARK, NOON)
    assert stick.file(copy).read_bytes() == b"first"
    assert stick.write(b"second", MARK, NOON).number == 2
    assert [copy.number for copy in stick.copies()] == [2, 1]
    assert {path.name for path in (tmp_path / FOLDER).iterdir()} == {copy.name for copy in stick.copies()}


def test_an_empty_folder_on_the_card_is_no_stick(tmp_path: Path) -> None:
    stick = Stick(tmp_path)
    assert not stick.is_in()
    with pytest.raises(StickPulled):
        stick.write(b"copy", MARK, NOON)
    assert list(tmp_path.iterdir()) == []


def test_a_stick_that_is_full_of_other_things_keeps_its_copies(tmp_path: Path) -> None:
    stick_at(tmp_path).write(b"first", MARK, NOON)
    with pytest.raises(StickFull) as caught:
        Stick(tmp_path, Path.is_dir, lambda _: 1_000).write(b"second", MARK, NOON)
    assert caught.value.free == 1_000
    assert [copy.number for copy in stick_at(tmp_path).copies()] == [1]


def test_old_copies_make_room_and_the_newest_three_stay(tmp_path: Path) -> None:
    stick = stick_at(tmp_path)
    for _ in range(6):
        stick.write(b"x" * 100, MARK, NOON)

    def _room(_: Path) -> int:
        gone = 6 - len(list((tmp_path / FOLDER).glob("*.backup")))
        return 4 * 1024 * 1024 + 50 * gone

    Stick(tmp_path, Path.is_dir, _room).write(b"y" * 100, MARK, NOON)
    assert [copy.number for copy in stick.copies()] == [7, 6, 5, 4, 3]


def test_what_was_left_unfinished_is_cleared_away(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "unfinished.tmp").write_bytes(b"half")
    stick_at(tmp_path).write(b"whole", MARK, NOON)
    assert [path.suffix for path in (tmp_path / FOLDER).iterdir()] == [".backup"]


def test_a_stick_that_cannot_be_written_is_told_apart() -> None:
    kernel_s_own = Path("/sys/kernel")
    with pytest.raises(StickReadOnly):
        stick_at(kernel_s_own).write(b"copy", MARK, NOON)


def test_a_file_in_place_of_the_folder_is_an_error_of_the_stick(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_bytes(b"")
    with pytest.raises(Unavailable):
        stick_at(tmp_path).write(b"copy", MARK, NOON)


def test_a_mark_is_the_beginning_of_the_fingerprint() -> None:
    assert mark_of("ABCDEF0123456789") == "abcdef01"


WRITER = """
import datetime as dt, sys
from pathlib import Path
from station.appliance.stick import Stick
stick = Stick(Path(sys.argv[1]), Path.is_dir)
print("go", flush=True)
for number in range(1, 1000):
    content = bytes([number % 251]) * int(sys.argv[2])
    stick.write(content, "1a2b3c4d", dt.datetime(2026, 11, 21))
    print(number, flush=True)
"""


@pytest.mark.slow
def test_whenever_it_is_cut_every_copy_that_is_there_is_whole(tmp_path: Path) -> None:
    """Killed at moments that fall into all steps of writing: what was said to be written is there."""
    for cut in range(6):
        folder = tmp_path / str(cut)
        folder.mkdir()
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(folder), str(BIG // 8)], stdout=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdout is not None
            said = [writer.stdout.readline().strip() for _ in range(1 + cut // 2)]
            if cut % 2:
                while not (folder / FOLDER / "unfinished.tmp").exists():
                    assert writer.poll() is None
            writer.kill()
        stick = stick_at(folder)
        copies = stick.copies() if (folder / FOLDER).exists() else ()
        for copy in copies:
            content = stick.file(copy).read_bytes()
            assert content == bytes([copy.number % 251]) * (BIG // 8)
        assert len(copies) >= len(said) - 1
        stick.write(b"the next one", MARK, NOON)
        assert not (folder / FOLDER / "unfinished.tmp").exists()
