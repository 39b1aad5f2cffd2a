"""The small file between station and own screen."""

import os
from pathlib import Path

import msgspec
import pytest

from base.errors import BadData
from station.appliance.status import (
    HALL_FILE,
    SILENT_AFTER_S,
    STATUS_FILE,
    HallSettings,
    StationStatus,
    StationStatusWriter,
    StatusReader,
    read_hall,
)


def test_what_changed_is_written_and_what_did_not_only_touched(tmp_path: Path) -> None:
    now = [0.0]
    writer, reader = StationStatusWriter(tmp_path), StatusReader(tmp_path, lambda: now[0])
    assert writer.write(StationStatus(here=1))
    inode = (tmp_path / STATUS_FILE).stat().st_ino
    os.utime(tmp_path / STATUS_FILE, (0, 0))
    assert reader.read() == StationStatus(here=1)
    assert not writer.write(StationStatus(here=1))
    assert (tmp_path / STATUS_FILE).stat().st_ino == inode
    assert (tmp_path / STATUS_FILE).stat().st_mtime > 0
    assert writer.write(StationStatus(here=2))
    os.utime(tmp_path / STATUS_FILE, (0, 0))
    assert reader.read() == StationStatus(here=2)


def test_a_file_that_nobody_touches_is_of_a_station_that_is_silent(tmp_path: Path) -> None:
    StationStatusWriter(tmp_path).write(StationStatus())
    touched = (tmp_path / STATUS_FILE).stat().st_mtime
    assert StatusReader(tmp_path, lambda: touched + SILENT_AFTER_S + 1).read() is None
    assert StatusReader(tmp_path, lambda: touched).read() == StationStatus()
    assert StatusReader(tmp_path / "nowhere", lambda: 0.0).read() is None


def test_the_file_is_not_for_everybody(tmp_path: Path) -> None:
    StationStatusWriter(tmp_path).write(StationStatus(first_code="7HXJN-MX2XZ"))
    assert (tmp_path / STATUS_FILE).stat().st_mode & 0o007 == 0


def test_a_file_of_something_else_is_bad_data(tmp_path: Path) -> None:
    (tmp_path / STATUS_FILE).write_text("junk")
    now = (tmp_path / STATUS_FILE).stat().st_mtime
    with pytest.raises(BadData):
        StatusReader(tmp_path, lambda: now).read()
    (tmp_path / HALL_FILE).write_text("junk")
    with pytest.raises(BadData):
        read_hall(tmp_path)


def test_where_the_system_left_nothing_the_hall_is_a_plain_one(tmp_path: Path) -> None:
    assert read_hall(tmp_path) == HallSettings()
    (tmp_path / HALL_FILE).write_bytes(msgspec.json.encode(HallSettings(name="Sala Rossa")))
    assert read_hall(tmp_path).name == "Sala Rossa"
