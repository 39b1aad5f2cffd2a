"""Importing the card's file as root: real files, and power cuts between any two steps."""

import contextlib
import errno
import ipaddress
import stat
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from base.errors import Unavailable
from base.whole_file import DiskFiles
from station.accounts.judges import Judges
from station.appliance import card as module
from station.appliance.card import CARD_FILE, Cable, Card, CardWifi, NetworkPart, card_from
from station.appliance.network import access_point_text, host_text, network_files, wifi_address
from station.appliance.preparing import (
    Places,
    StoredSettings,
    arguments_of,
    hall_of,
    leave_account,
    prepare,
    problem_of,
    read_stored_settings,
    settings_to_store,
    take_account,
)
from station.appliance.status import read_hall
from station.cli.computer import computer
from sync.enrolment.provisioning_keys import Fault, WrongFile
from sync.terminal.station_record import DiskCard
from tests.station.conftest import Station, present

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
    assert present(hall.wifi).password == "cactus river"
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


def test_the_cards_account_opens_pages_and_renews_a_password(station: Station, tmp_path: Path) -> None:
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


WHOLE = """\
[hall]
name = "Sala Rossa"
language = "it"
time_zone = "Europe/Rome"
[judge]
name = "ada"
password = "tumbleweed in the wind"
[network]
cable = "own"
address = "10.1.2.1/24"
[wifi]
name = "Saloon"
password = "cactus river"
country = "IT"
channel = 40
wpa3 = true
[copies]
every_min = 5
[cables]
serial = ["/dev/ttyUSB0", "/dev/ttyUSB1"]
bus = ["/dev/ttyUSB2"]
"""


def test_a_whole_file_is_read() -> None:
    card = card_from(WHOLE.encode())
    assert (card.hall.name, present(card.judge).name, card.network.cable) == ("Sala Rossa", "ada", Cable.OWN)
    assert card.cables.bus == ("/dev/ttyUSB2",)


def test_everything_may_be_left_out() -> None:
    assert card_from(b"") == Card()
    assert card_from("\ufeff# nothing\r\n".encode()) == Card()


def test_the_example_in_the_module_is_a_right_file() -> None:
    assert module.__doc__ is not None
    example = "\n".join(line.strip() for line in module.__doc__.split("::", 1)[1].splitlines())
    with pytest.raises(WrongFile) as caught:
        card_from(example.encode())
    assert caught.value.key == "password", "only its dots are too short"
    keyless = example.replace('"…"', '"cactus river"').replace('ssh_key = "ssh-ed25519 AAAA… name"', "")
    assert card_from(keyless.encode()).wifi.channel == 6


@pytest.mark.parametrize(
    ("line", "fault", "place"),
    [
        ('[wifi]\npassword = "short"', Fault.WIFI_PASSWORD, (2, "wifi", "password")),
        ("[wifi]\n# at home\nchannel = 14", Fault.CHANNEL, (3, "wifi", "channel")),
        ("[wifi]\nchannel = 36", Fault.CHANNEL, (2, "wifi", "channel")),
        ("[wifi]\nchannel = true", Fault.CHANNEL, (2, "wifi", "channel")),
        ('[wifi]\nnam = "x"', Fault.NO_KEY_BUT, (2, "wifi", "nam")),
        ('[judge]\nname = "ada"', Fault.MISSING, (1, "judge", "password")),
        ('[judge]\npassword = "12345678"', Fault.MISSING, (1, "judge", "name")),
        ('[judge]\nname = "ada"\npassword = "short"', Fault.PASSWORD, (3, "judge", "password")),
        ('[hall]\nlanguage = "tlh"', Fault.ONE_OF, (2, "hall", "language")),
        ('[hall]\ntime_zone = "../../etc/shadow"', Fault.ZONE, (2, "hall", "time_zone")),
        ('[hall]\nname = ""', Fault.TEXT, (2, "hall", "name")),
        ('[network]\naddress = "8.8.8.8/24"', Fault.NETWORK, (2, "network", "address")),
        ('[network]\naddress = "10.0.0.0/24"', Fault.NETWORK, (2, "network", "address")),
        ('[network]\naddress = "10.0.0.1"', Fault.NETWORK, (2, "network", "address")),
        ('[network]\ncable = "switch"', Fault.ONE_OF, (2, "network", "cable")),
        ('[cables]\nserial = ["/etc/passwd"]', Fault.DEVICES, (2, "cables", "serial")),
        ('[cables]\nbus = "/dev/ttyUSB0"', Fault.DEVICES, (2, "cables", "bus")),
        ("[copies]\nevery_min = 0", Fault.NUMBER, (2, "copies", "every_min")),
        ('[halls]\nname = "x"', Fault.NO_SECTION_BUT, (1, "", "halls")),
        ("[hall]\nname = “Sala”", Fault.CURLY, (2, "", "")),
    ],
)
def test_a_fault_is_told_with_line_and_key(line: str, fault: Fault, place: tuple[int, str, str]) -> None:
    with pytest.raises(WrongFile) as caught:
        card_from(line.encode())
    wrong = caught.value
    assert (wrong.fault, wrong.place.number, wrong.section, wrong.key) == (fault, *place)
    problem = problem_of(wrong)
    assert problem.problem.format(**problem.fields)
    assert "short" not in problem.text


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_any_bytes_are_a_card_or_a_wrong_file(content: bytes) -> None:
    with contextlib.suppress(WrongFile):
        assert isinstance(card_from(content), Card)


def test_what_the_file_leaves_out_is_made_up_once() -> None:
    first = settings_to_store(Card(), StoredSettings(), lambda count: bytes(range(count)))
    assert first.wifi.name.startswith("Saloon-")
    assert len(first.wifi.password) == 10
    again = settings_to_store(card_from(b'[hall]\nname = "Sala Rossa"'), first, lambda count: b"\xff" * count)
    assert again.wifi == first.wifi
    assert again.hall.name == "Sala Rossa"
    assert settings_to_store(card_from(WHOLE.encode()), again, bytes).wifi.name == "Saloon"


def test_the_own_screen_is_told_of_the_access_point_that_is_wanted() -> None:
    kept = settings_to_store(card_from(WHOLE.encode()), StoredSettings(), bytes)
    hall = hall_of(kept, None)
    assert hall.wifi is not None
    assert (hall.wifi.name, hall.wifi.password, hall.wifi.address) == ("Saloon", "cactus river", "10.73.1.1")
    assert (hall.language, hall.copy_every_min) == ("it", 5)
    off = msgspec.structs.replace(kept, wifi=msgspec.structs.replace(kept.wifi, access_point=False))
    assert hall_of(off, None).wifi is None


def test_an_own_network_gives_addresses_and_no_way_to_elsewhere() -> None:
    files = network_files(NetworkPart(Cable.OWN, "192.168.7.1/28"))
    wired = files["30-saloon-cable.network"]
    assert "Address=192.168.7.1/28\n" in wired
    assert "PoolOffset=10\nPoolSize=5\n" in wired
    assert "DHCPServer=yes" in wired
    for no in ("EmitRouter=no", "EmitDNS=no"):
        assert no in wired
    guest = network_files(NetworkPart())["30-saloon-cable.network"]
    assert "DHCP=ipv4" in guest
    assert "DHCPServer" not in guest


@given(st.integers(8, 30), st.integers(1, 2**22 - 2))
def test_the_pool_is_inside_its_network(length: int, host: int) -> None:
    network = ipaddress.IPv4Network(("10.0.0.0", length))
    address = network.network_address + (host % (network.num_addresses - 2) + 1)
    said = host_text("Type=ether", f"{address}/{length}")
    numbers = dict(line.split("=") for line in said.splitlines() if line.startswith("Pool"))
    first, size = int(numbers["PoolOffset"]), int(numbers["PoolSize"])
    assert size >= 1
    assert first >= 1
    assert first + size - 1 <= network.num_addresses - 2


def test_by_air_there_is_another_network_than_by_cable() -> None:
    assert str(wifi_address(NetworkPart())) == "10.73.1.1/24"
    assert str(wifi_address(NetworkPart(address="10.73.0.1/16"))) == "10.74.1.1/24"


def test_an_access_point_as_wpa_supplicant_reads_it() -> None:
    said = access_point_text(
        CardWifi(name='Sala "1"', password='say "yes"', country="IT", channel=40, wpa3=True)
    )
    assert "ssid=53616c6120223122\n" in said
    for part in ("mode=2", "frequency=5200", "country=IT", 'psk="say "yes""', "SAE", "proto=RSN"):
        assert part in said
    plain = access_point_text(CardWifi(name="x", password="12345678", channel=6))
    assert "frequency=2437" in plain
    assert "country" not in plain
    assert "SAE" not in plain


def test_cables_are_options_of_serve() -> None:
    cables = card_from(WHOLE.encode()).cables
    assert arguments_of(cables) == (
        "SALOON_CABLES=--serial /dev/ttyUSB0 --serial /dev/ttyUSB1 --bus /dev/ttyUSB2\n"
    )
