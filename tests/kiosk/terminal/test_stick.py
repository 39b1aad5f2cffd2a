"""A stick: all of a file is on it or none, and the word about it is true."""

import errno
import os
from pathlib import Path

import pytest

from saloon.kiosk.terminal.link.usb_stick import Stick
from saloon.kiosk.view.transfer_view import StickState

NAME = "saloon-table-7-0a1b2c3d4e5f6071.parcel"
DATA = bytes(range(256)) * 20


def everywhere(_: Path) -> bool:
    return True


def test_a_parcel_is_written_whole_and_nothing_else_is_left(tmp_path: Path) -> None:
    assert Stick(tmp_path, everywhere).write(NAME, b"older") is StickState.WRITTEN
    assert Stick(tmp_path, everywhere).write(NAME, DATA) is StickState.WRITTEN
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {NAME: DATA}


def test_a_folder_on_the_card_is_no_stick(tmp_path: Path) -> None:
    assert Stick(tmp_path).write(NAME, DATA) is StickState.NO_STICK
    assert Stick(tmp_path / "none").write(NAME, DATA) is StickState.NO_STICK
    assert list(tmp_path.iterdir()) == []


def test_a_stick_mounted_by_its_label_within_the_folder_is_found(tmp_path: Path) -> None:
    (tmp_path / "JUDGE").mkdir()
    (tmp_path / "a-folder").mkdir()
    stick = Stick(tmp_path, lambda path: path.name == "JUDGE")
    assert stick.write(NAME, DATA) is StickState.WRITTEN
    assert (tmp_path / "JUDGE" / NAME).read_bytes() == DATA


@pytest.mark.parametrize(
    ("number", "state"),
    [
        (errno.ENOSPC, StickState.FULL),
        (errno.EROFS, StickState.READ_ONLY),
        (errno.EACCES, StickState.READ_ONLY),
        (errno.EIO, StickState.PULLED),
        (errno.ENODEV, StickState.PULLED),
        (errno.EINVAL, StickState.FAILED),
    ],
)
def test_a_stick_that_fails_at_any_step_is_named_and_the_old_file_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, state: StickState
) -> None:
    stick = Stick(tmp_path, everywhere)
    assert stick.write(NAME, b"older") is StickState.WRITTEN

    def failing(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", failing)
    assert stick.write(NAME, DATA) is state
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {NAME: b"older"}


def test_a_stick_pulled_out_before_anything_is_written_is_named(tmp_path: Path) -> None:
    assert Stick(tmp_path / "gone", everywhere).write(NAME, DATA) is StickState.PULLED


def test_other_bytes_on_the_stick_than_were_written_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path)[:-1] + b"?")
    assert Stick(tmp_path, everywhere).write(NAME, DATA) is StickState.PULLED
