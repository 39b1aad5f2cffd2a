"""A USB drive: a file is written completely or not at all, and the reported result is right."""

import errno
import os
from pathlib import Path

import pytest

from kiosk.terminal.link.offline_export import UsbStick
from kiosk.view.transfer_view import UsbStickState

NAME = "saloon-table-7-0a1b2c3d4e5f6071.parcel"
DATA = bytes(range(256)) * 20


def everywhere(_: Path) -> bool:
    return True


def test_a_parcel_is_written_whole_and_nothing_else_is_left(tmp_path: Path) -> None:
    assert UsbStick(tmp_path, everywhere).write(NAME, b"older") is UsbStickState.WRITTEN
    assert UsbStick(tmp_path, everywhere).write(NAME, DATA) is UsbStickState.WRITTEN
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {NAME: DATA}


def test_a_folder_on_the_card_is_no_stick(tmp_path: Path) -> None:
    assert UsbStick(tmp_path).write(NAME, DATA) is UsbStickState.NO_STICK
    assert UsbStick(tmp_path / "none").write(NAME, DATA) is UsbStickState.NO_STICK
    assert list(tmp_path.iterdir()) == []


def test_a_stick_mounted_by_its_label_within_the_folder_is_found(tmp_path: Path) -> None:
    (tmp_path / "JUDGE").mkdir()
    (tmp_path / "a-folder").mkdir()
    stick = UsbStick(tmp_path, lambda path: path.name == "JUDGE")
    assert stick.write(NAME, DATA) is UsbStickState.WRITTEN
    assert (tmp_path / "JUDGE" / NAME).read_bytes() == DATA


@pytest.mark.parametrize(
    ("number", "state"),
    [
        (errno.ENOSPC, UsbStickState.FULL),
        (errno.EROFS, UsbStickState.READ_ONLY),
        (errno.EACCES, UsbStickState.READ_ONLY),
        (errno.EIO, UsbStickState.PULLED),
        (errno.ENODEV, UsbStickState.PULLED),
        (errno.EINVAL, UsbStickState.FAILED),
    ],
)
def test_a_stick_that_fails_at_any_step_is_named_and_the_old_file_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, state: UsbStickState
) -> None:
    stick = UsbStick(tmp_path, everywhere)
    assert stick.write(NAME, b"older") is UsbStickState.WRITTEN

    def failing(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", failing)
    assert stick.write(NAME, DATA) is state
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {NAME: b"older"}


def test_a_stick_pulled_out_before_anything_is_written_is_named(tmp_path: Path) -> None:
    assert UsbStick(tmp_path / "gone", everywhere).write(NAME, DATA) is UsbStickState.PULLED


def test_other_bytes_on_the_stick_than_were_written_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path)[:-1] + b"?")
    assert UsbStick(tmp_path, everywhere).write(NAME, DATA) is UsbStickState.PULLED
