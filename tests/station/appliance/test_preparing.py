"""Importing the card's file as root: real files, and power cuts between any two steps."""

import errno
import stat
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from structlog.testing import capture_logs

from base.errors import Unavailable
from base.whole_file import DiskFiles
from station.accounts.judges import Judges
from station.appliance.card import CARD_FILE
from station.appliance.preparing import Places, leave_account, prepare, read_stored_settings, take_account
from station.appliance.status import read_hall
from station.cli.commands import computer
from sync.enrolment.provisioning_keys import WrongFile
from sync.terminal.station_record import DiskCard
from tests.station.conftest import Station

PASSWORD = "tumbleweed in the wind"
FILE = f"""\
[hall]
name = "Sala Rossa"
time_zone = "Europe/Rome"
[judge]
name = "ada"
password = "{PASSWORD}"
[network]
cable = "own"
[wifi]
name = "Saloon"
password = "cactus river"
[cables]
serial = ["/dev/ttyUSB0"]
[service]
ssh_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHsv7qSPLhyvhYxRgBwTPSlMw3GlZxPMqv1sJqHbiVhZ me"
"""


class Cut(BaseException):
    """Raised when the power is cut."""


class CutCard(DiskCard):
    """A computer whose power is cut after ``left`` steps."""

    def __init__(self, left: int) -> None:
        super().__init__()
        self.left = left

    def _step(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Cut

    def write(self, path: Path, content: object) -> None:
        self._step()
        super().write(path, content)  # type: ignore[arg-type]  # as it came

    def flush(self, path: Path) -> None:
        self._step()
        super().flush(path)

    def rename(self, path: Path, to: Path) -> None:
        self._step()
        super().rename(path, to)

    def remove(self, path: Path) -> None:
        self._step()
        super().remove(path)

    def overwrite(self, path: Path, start: int, content: bytes) -> None:
        self._step()
        super().overwrite(path, start, content)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    made = Places(
        card=tmp_path / CARD_FILE,
        system=tmp_path / "system",
        station=tmp_path / "station",
        networkd=tmp_path / "networkd",
        run=tmp_path / "run",
        air=tmp_path / "air",
        zone=tmp_path / "localtime",
    )
    for folder in (made.system, made.station):
        folder.mkdir(parents=True)
    return made


def prepared(places: Places, card: DiskCard | None = None) -> WrongFile | None:
    card = card or DiskCard()
    return prepare(places, card, card)


def test_a_file_becomes_the_system_s_files_and_leaves_the_card(places: Places) -> None:
    places.card.write_text(FILE)
    assert prepared(places) is None
    assert not places.card.exists()
    hall = read_hall(places.run)
    assert hall.name == "Sala Rossa"
    assert hall.wifi is not None
    assert hall.wifi.password == "cactus river"
    assert "DHCPServer=yes" in (places.networkd / "30-saloon-cable.network").read_text()
    assert 'psk="cactus river"' in (places.air / "access-point.conf").read_text()
    assert stat.S_IMODE((places.air / "access-point.conf").stat().st_mode) == 0o600
    assert (places.system / "authorized_keys").read_text().startswith("ssh-ed25519 AAAA")
    assert (places.run / "cables").read_text() == "SALOON_CABLES=--serial /dev/ttyUSB0\n"
    assert places.zone.readlink() == Path("/usr/share/zoneinfo/Europe/Rome")


def test_nobody_s_password_is_anywhere_on_the_disk(places: Places, tmp_path: Path) -> None:
    places.card.write_text(FILE)
    prepared(places)
    written = [path for path in tmp_path.rglob("*") if path.is_file() and not path.is_symlink()]
    assert len(written) > 5
    for path in written:
        assert PASSWORD not in path.read_text(), path


def test_without_a_file_everything_is_made_up_and_stays_so(places: Places) -> None:
    prepared(places)
    first = read_stored_settings(places.system)
    assert first.wifi.password
    prepared(places)
    assert read_stored_settings(places.system) == first
    places.card.write_text("[wifi]\naccess_point = false\n")
    prepared(places)
    assert read_hall(places.run).wifi is None
    assert not (places.air / "access-point.conf").exists()


def test_a_wrong_file_stays_and_is_told_and_the_hall_works_as_before(places: Places) -> None:
    places.card.write_text(FILE)
    prepared(places)
    places.card.write_text('[hall]\nname = "Sala Verde"\n[wifi]\npassword = "short"\n')
    assert prepared(places) is not None
    assert places.card.exists()
    hall = read_hall(places.run)
    assert (hall.name, hall.card and hall.card.line, hall.card and hall.card.key) == (
        "Sala Rossa",
        4,
        "[wifi] password",
    )


@pytest.mark.slow
def test_wherever_the_power_goes_the_next_start_has_all_of_the_file(places: Places) -> None:
    # Without a password, which takes its time on purpose; with one, a few cuts.
    quick = FILE.replace(FILE[FILE.index("[judge]") : FILE.index("[network]")], "")
    whole = -1
    for left, text in (*((left, quick) for left in range(30)), (3, FILE), (9, FILE)):
        for path in (*places.system.iterdir(), *places.station.iterdir()):
            path.unlink()
        places.card.write_text(text)
        try:
            prepared(places, CutCard(left))
            whole = left
        except Cut:
            assert prepared(places) is None
        assert not places.card.exists()
        assert read_stored_settings(places.system).hall.name == "Sala Rossa"
        assert (places.system / "authorized_keys").exists()
        assert (places.station / "judge-of-the-card.json").exists() == ("[judge]" in text)
    assert whole > 10, "cuts fell into all steps"


class WornCard(DiskCard):
    """A boot partition that can only be read."""

    def overwrite(self, path: Path, start: int, content: bytes) -> None:
        raise OSError(errno.EROFS, f"{len(content)} bytes at {start} cannot be written", str(path))


@pytest.mark.parametrize("has_file", [True, False])
def test_a_worn_out_boot_partition_keeps_no_hall_from_its_network(places: Places, *, has_file: bool) -> None:
    if has_file:
        places.card.write_text(FILE)
    else:
        # Cannot be read either.
        places.card.mkdir()
    with pytest.raises(Unavailable, match=CARD_FILE):
        prepared(places, WornCard())
    assert (places.networkd / "30-saloon-cable.network").exists()
    assert (places.air / "access-point.conf").exists()
    assert read_hall(places.run).name == ("Sala Rossa" if has_file else "")


def test_the_cards_account_opens_the_pages_and_renews_a_lost_password(
    station: Station, tmp_path: Path
) -> None:
    judges = Judges(station.database, station.clock.wall_ms)
    take_account(tmp_path, judges)
    assert judges.all() == ()
    for password in (PASSWORD, "another one of these"):
        leave_account(DiskFiles(), tmp_path, "ada", password)
        take_account(tmp_path, judges)
        assert judges.check("ada", password) is not None
        assert [account.name for account in judges.all()] == ["ada"]
    assert judges.check("ada", PASSWORD) is None
    assert list(tmp_path.glob("judge-of-the-card*")) == []


def test_an_unreadable_account_is_kept_and_reported_at_every_start(station: Station, tmp_path: Path) -> None:
    judges = Judges(station.database, station.clock.wall_ms)
    file = tmp_path / "judge-of-the-card.json"
    file.write_text("junk")
    for _ in range(2):
        with capture_logs() as logs:
            take_account(tmp_path, judges)
        (said,) = logs
        assert said["log_level"] == "error"
        assert said["file"] == str(file)
        assert file.read_text() == "junk"
    leave_account(DiskFiles(), tmp_path, "ada", PASSWORD)
    take_account(tmp_path, judges)
    assert judges.check("ada", PASSWORD) is not None
    assert not file.exists()


def test_a_kept_file_that_cannot_be_read_does_not_keep_the_station_away(places: Places) -> None:
    (places.system / "station.json").write_bytes(b"\0\0")
    assert prepared(places) is None
    assert msgspec.json.decode((places.run / "hall.json").read_bytes())["name"] == ""


def test_a_file_is_checked_on_any_computer(tmp_path: Path) -> None:
    file = tmp_path / "hall.toml"
    file.write_text(FILE)
    assert CliRunner().invoke(computer, ["check", str(file)]).exit_code == 0
    file.write_text("[wifi]\nchannel = 99\n")
    answer = CliRunner().invoke(computer, ["check", str(file)])
    assert answer.exit_code == 2
    assert "line 2" in answer.output
