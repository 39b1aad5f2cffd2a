"""A terminal's record of its station, with power cuts between any two steps."""

import os
import stat
from contextlib import suppress
from pathlib import Path

import pytest

from base.errors import BadData, Unavailable
from base.whole_file import Content, DiskFiles
from core.terms import TableNo
from sync.enrolment.provisioning import Provisioning, StationPart, TerminalPart, provisioning_text, text_of
from sync.terminal.station_record import StationRecord
from sync.tls.certificates import generate_certificate
from tests.sync.cut_files import BOOT, DATA, CutFiles, PowerCut, cuts

STATION = StationPart(generate_certificate("station")[1], ("192.0.2.1:7373",))
OTHER = StationPart(generate_certificate("other")[1], ("192.0.2.2:7373",))
FILE = provisioning_text(STATION, TableNo(7), "once").encode()
SOURCE, KEPT = BOOT / "saloon.toml", DATA / "provisioning.toml"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "saloon.toml"
    file.write_bytes(FILE)
    return file


def there(record: Provisioning | None) -> Provisioning:
    assert record is not None
    return record


@pytest.mark.slow
@pytest.mark.parametrize(
    "before",
    [{SOURCE: FILE}, {SOURCE: FILE, KEPT: text_of(Provisioning(OTHER)).encode()}, {SOURCE: FILE, KEPT: b""}],
    ids=["new", "of another station", "damaged"],
)
def test_wherever_the_power_goes_the_file_is_in_one_of_both_places_and_then_in_ours(
    before: dict[Path, bytes],
) -> None:
    survived = 0
    for files in cuts(before):
        try:
            StationRecord(DATA, files).import_file(SOURCE, moves=True)
            survived += 1
        except PowerCut:
            pass
        files.cut()
        held = [StationRecord(DATA, files).import_file(path, moves=False) for path in (SOURCE,)]
        record = there(StationRecord(DATA, files).import_file(SOURCE, moves=True))
        assert (record.station, record.terminal.token) == (STATION, "once")
        assert held == [record]
        assert SOURCE not in files.names
        assert StationRecord(DATA, files).load() == record
    assert 4 <= survived < 14 * 4 - 4


def test_the_file_is_removed_only_when_its_copy_is_durable() -> None:
    files = CutFiles(keeps_names=False, keeps_contents=False)
    files.put(SOURCE, FILE)
    files.flushed.clear()
    StationRecord(DATA, files).import_file(SOURCE, moves=True)
    assert files.flushed == [DATA / "provisioning.toml.new", DATA, BOOT]


def test_wherever_the_power_goes_a_token_that_was_used_is_forgotten_or_asked_once_more() -> None:
    for files in cuts({KEPT: FILE}):
        with suppress(PowerCut):
            StationRecord(DATA, files).forget_token()
        files.cut()
        record = there(StationRecord(DATA, files).load())
        assert record.station == STATION
        assert record.terminal.token in {"once", ""}
        StationRecord(DATA, files).forget_token()
        again = there(StationRecord(DATA, files).load())
        assert again.terminal == TerminalPart(table=7)


def test_wherever_the_power_goes_the_station_is_the_former_or_the_new_one() -> None:
    former = text_of(Provisioning(OTHER, TerminalPart(taken_from="abc"))).encode()
    for files in cuts({KEPT: former}):
        with suppress(PowerCut):
            StationRecord(DATA, files).save_joined(STATION.certificate, STATION.addresses, "/dev/ttyUSB0")
        files.cut()
        record = there(StationRecord(DATA, files).load())
        assert record.terminal.taken_from == "abc"
        assert record.station in {OTHER, STATION}


def test_a_file_that_cannot_be_removed_is_taken_over_once(tmp_path: Path, source: Path) -> None:
    belonging = StationRecord(tmp_path / "data")
    (tmp_path / "data").mkdir()
    first = there(belonging.import_file(source, moves=False))
    assert first.terminal.token == "once"
    belonging.forget_token()
    again = there(belonging.import_file(source, moves=False))
    assert again.terminal.token == ""
    # Also after the terminal was taken in by another station in another way.
    belonging.save_joined(OTHER.certificate, OTHER.addresses, "")
    after = there(belonging.import_file(source, moves=False))
    assert after.station == OTHER
    # A new file is a new wish.
    source.write_bytes(provisioning_text(STATION, TableNo(7), "second").encode())
    fresh = there(belonging.import_file(source, moves=True))
    assert (fresh.station, fresh.terminal.token) == (STATION, "second")
    assert not source.exists()


def test_what_is_kept_is_for_its_owner_only(tmp_path: Path, source: Path) -> None:
    source.chmod(0o755)
    StationRecord(tmp_path).import_file(source, moves=True)
    assert stat.S_IMODE((tmp_path / "provisioning.toml").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["provisioning.toml"]


def test_a_wrong_file_changes_nothing_and_stays_where_it_is(tmp_path: Path, source: Path) -> None:
    belonging = StationRecord(tmp_path)
    belonging.save(Provisioning(OTHER))
    for content, said in (
        (b"[station\n", "line 1"),
        (b"\xff", "UTF-8"),
        (b"[station]\ncolour=1\n", "station"),
    ):
        source.write_bytes(content)
        with pytest.raises(BadData, match=said):
            belonging.import_file(source, moves=True)
        assert source.read_bytes() == content
    # One as large as a card is not even read.
    os.truncate(source, 1 << 40)
    with pytest.raises(BadData, match="too long"):
        belonging.import_file(source, moves=True)
    assert source.stat().st_size == 1 << 40
    assert belonging.load() == Provisioning(OTHER)


def test_a_disk_that_refuses_leaves_everything_where_it_is(tmp_path: Path, source: Path) -> None:
    class FullDisk(DiskFiles):
        def write(self, path: Path, content: Content) -> None:
            del path, content
            raise OSError(28, "No space left on device")

    with pytest.raises(Unavailable, match=r"provisioning\.toml: No space left"):
        StationRecord(tmp_path, FullDisk()).import_file(source, moves=True)
    assert source.read_bytes() == FILE


def test_a_folder_that_allows_no_removal_stops_nothing(tmp_path: Path, source: Path) -> None:
    class ReadOnlyBoot(DiskFiles):
        def remove(self, path: Path) -> None:
            del path
            raise OSError(30, "Read-only file system")

    record = there(StationRecord(tmp_path, ReadOnlyBoot()).import_file(source, moves=True))
    assert record.terminal.token == "once"


def test_without_any_file_a_terminal_belongs_nowhere(tmp_path: Path) -> None:
    assert StationRecord(tmp_path).import_file(tmp_path / "saloon.toml", moves=True) is None
