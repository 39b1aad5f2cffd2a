"""A value in a file survives a restart, and no trouble with it stops a program."""

from pathlib import Path

import msgspec
import structlog

from base.state_file import StateFile


def number_file(path: Path) -> StateFile[int]:
    return StateFile(path, "number", lambda raw: msgspec.json.decode(raw, type=int))


def test_the_last_value_that_was_kept_is_read_after_a_restart(tmp_path: Path) -> None:
    file = number_file(tmp_path / "number.json")
    assert file.read() is None
    for number in range(20):
        file.keep(number)
    file.close()
    assert number_file(tmp_path / "number.json").read() == 19


def test_nothing_is_left_of_a_value_that_was_removed(tmp_path: Path) -> None:
    file = number_file(tmp_path / "number.json")
    file.write(7)
    file.write(None)
    file.write(None)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_and_a_missing_folder_are_logged_with_the_name_of_the_value(tmp_path: Path) -> None:
    (tmp_path / "number.json").write_bytes(b"\xff{")
    with structlog.testing.capture_logs() as logs:
        assert number_file(tmp_path / "number.json").read() is None
        number_file(tmp_path / "gone" / "number.json").write(7)
    assert [(log["event"], log["what"]) for log in logs] == [
        ("state not read", "number"),
        ("state not saved", "number"),
    ]
