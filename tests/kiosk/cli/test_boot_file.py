"""The provisioning file is split into its parts, with power cuts between any two steps."""

import hashlib
import re
import stat
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from base.errors import BadData, Unavailable
from core.terms import TableNo
from kiosk.cli.boot_file import (
    HOSTNAME,
    SSH,
    WIFI,
    boot_file,
    host_name,
    split_boot_file,
    system_files,
    wifi_text,
)
from sync.enrolment.provisioning import (
    Provisioning,
    ServicePart,
    StationPart,
    TerminalPart,
    WifiPart,
    provisioning_from,
    provisioning_text,
    text_of,
)
from sync.enrolment.provisioning_keys import is_wifi_name, is_wifi_password
from sync.terminal.station_record import DiskCard, StationRecord
from sync.tls.certificates import generate_certificate
from tests.sync.cut_files import BOOT, DATA, CutFiles, PowerCut, cuts

STATION = StationPart(generate_certificate("station")[1], ("192.0.2.1:7373",))
PLAIN = provisioning_text(STATION, TableNo(7), "once").encode()
WHOLE = PLAIN + b'[wifi]\nname = "Hall"\npassword = "high noon 12"\ncountry = "IT"\n'
SOURCE, TARGET = BOOT / "saloon.toml", DATA / "boot.toml"
WIFI_FILE, SSH_FILE, NAME_FILE = DATA / "wifi.conf", DATA / "authorized_keys", DATA / "hostname"
MOST = 40


def import_from(content: bytes) -> Provisioning:
    return provisioning_from(content, "file")


def test_wherever_the_power_goes_the_next_start_ends_with_every_part_in_its_place() -> None:
    before = {SOURCE: WHOLE, WIFI_FILE: b"an older one", SSH_FILE: b"an older one"}
    survived = 0
    for files in cuts(before, MOST):
        with suppress(PowerCut):
            split_boot_file(files, files, SOURCE, TARGET, DATA)
            survived += 1
        files.cut()
        split_boot_file(files, files, SOURCE, TARGET, DATA)
        assert SOURCE not in files.names
        assert b"high noon 12" in (files.read(WIFI_FILE) or b"")
        assert SSH_FILE not in files.names
        assert files.read(NAME_FILE) == b"saloon-table-07\n"
        kept = import_from(files.read(TARGET) or b"")
        assert kept.station == STATION
        assert (kept.terminal.table, kept.terminal.token) == (7, "once")
        assert kept.wifi is None
    assert 4 <= survived < MOST * 4 - 4


def test_the_file_is_wiped_only_when_all_its_parts_are_durable() -> None:
    for files in cuts({SOURCE: WHOLE}, MOST):
        with suppress(PowerCut):
            split_boot_file(files, files, SOURCE, TARGET, DATA)
        files.cut()
        if files.read(SOURCE) != WHOLE:
            assert import_from(files.read(TARGET) or b"").terminal.token == "once"
            assert b"high noon 12" in (files.read(WIFI_FILE) or b"")


def test_no_block_of_the_card_holds_the_secrets_any_more() -> None:
    files = CutFiles(keeps_names=True, keeps_contents=True)
    files.put(SOURCE, WHOLE)
    card = files.names[SOURCE]
    split_boot_file(files, files, SOURCE, TARGET, DATA)
    files.cut()
    assert files.contents[card] == b"\0" * len(WHOLE)


def test_on_a_real_disk_the_same_blocks_are_overwritten(tmp_path: Path) -> None:
    source = tmp_path / "saloon.toml"
    source.write_bytes(WHOLE)
    with source.open("rb") as still_open:
        split_boot_file(DiskCard(), DiskCard(), source, tmp_path / "boot.toml", None)
        assert not source.exists()
        assert still_open.read() == b"\0" * len(WHOLE)


def test_a_file_that_cannot_be_wiped_is_taken_over_once(tmp_path: Path) -> None:
    class ReadOnlyCard(DiskCard):
        def overwrite(self, path: Path, start: int, content: bytes) -> None:
            del path, start, content
            raise OSError(30, "Read-only file system")

    source, target = tmp_path / "saloon.toml", tmp_path / "boot.toml"
    source.write_bytes(PLAIN)
    belonging = StationRecord(tmp_path)
    for token in ("once", ""):
        with pytest.raises(Unavailable, match="Read-only"):
            split_boot_file(ReadOnlyCard(), ReadOnlyCard(), source, target, None)
        imported = belonging.import_file(target, moves=True)
        # The terminal also looks at the card itself, where it would find an invalid file.
        again = belonging.import_file(source, moves=False)
        assert imported is not None
        assert again == imported
        assert imported.terminal.token == token
        belonging.forget_token()


def test_a_wrong_file_stays_and_nothing_of_it_is_kept(tmp_path: Path) -> None:
    source, target = tmp_path / "saloon.toml", tmp_path / "boot.toml"
    source.write_bytes(PLAIN + b"[wifi]\npassword = 3\n")
    with pytest.raises(BadData, match="wifi"):
        split_boot_file(DiskCard(), DiskCard(), source, target, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["saloon.toml"]


def test_the_program_says_what_it_did_and_is_silent_without_a_file(tmp_path: Path) -> None:
    source, target, system = tmp_path / "saloon.toml", tmp_path / "boot.toml", tmp_path / "system"
    source.write_bytes(WHOLE)
    arguments = [str(source), str(target), "--system", str(system)]
    for said in (f"{source} is taken\n", ""):
        result = CliRunner().invoke(boot_file, arguments)
        assert (result.exit_code, result.stdout) == (0, said)
    assert {path.name for path in system.iterdir()} == {"hostname", "wifi.conf"}
    for path in (target, *system.iterdir()):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(system.stat().st_mode) == 0o700
    assert import_from(target.read_bytes()).terminal.taken_from == hashlib.sha256(WHOLE).hexdigest()
    assert CliRunner().invoke(boot_file, [*arguments, "--owner", "nobody-here"]).exit_code == 2


def test_the_last_file_says_all_about_the_system(tmp_path: Path) -> None:
    source, target, system = tmp_path / "saloon.toml", tmp_path / "boot.toml", tmp_path / "system"
    whole = msgspec.structs.replace(
        import_from(PLAIN), wifi=WifiPart("Hall", "high noon 12"), service=ServicePart(service_key())
    )
    for file, names in (
        (text_of(whole), {"hostname", "wifi.conf", "authorized_keys"}),
        (PLAIN.decode(), {"hostname"}),
    ):
        source.write_text(file, encoding="utf-8")
        assert (
            CliRunner().invoke(boot_file, [str(source), str(target), "--system", str(system)]).exit_code == 0
        )
        assert {path.name for path in system.iterdir()} == names


def service_key() -> str:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    public = Ed25519PrivateKey.generate().public_key()
    return public.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode() + " engineer@home"


NAMES = st.text(min_size=1, max_size=32).filter(is_wifi_name)
PASSWORDS = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=8, max_size=63)


def read_as_wpa_supplicant(text: str) -> dict[str, str]:
    """Parse names and values like wpa_supplicant, for which a comment begins after a line's last quote."""
    values: dict[str, str] = {}
    for line in text.split("\n"):
        last_quote = line.rfind('"') if line.count('"') > 1 else 0
        remark = line.find("#", last_quote)
        plain = (line if remark < 0 else line[:remark]).strip(" \t\r")
        if "=" in plain and not plain.startswith("#"):
            name, value = plain.split("=", 1)
            assert name not in values
            values[name] = value
    return values


@given(NAMES, PASSWORDS, st.booleans())
def test_any_name_and_any_password_mean_themselves(name: str, password: str, hidden: bool) -> None:  # noqa: FBT001
    assert is_wifi_password(password)
    text = wifi_text(WifiPart(name, password, "IT", hidden))
    read = read_as_wpa_supplicant(text)
    assert bytes.fromhex(read["ssid"]).decode() == name
    quoted = re.fullmatch(r'"(.*)"', read["psk"])
    assert quoted is not None
    assert quoted[1] == password
    assert read["country"] == "IT"
    assert ("scan_ssid" in read) == hidden
    assert text.count("\n") == 8 + hidden
    assert set(read) <= {
        "ctrl_interface",
        "country",
        "network",
        "ssid",
        "scan_ssid",
        "key_mgmt",
        "psk",
        "ieee80211w",
    }


def test_an_open_network_has_no_password() -> None:
    assert wifi_text(WifiPart("Hall")) == (
        "ctrl_interface=/run/wpa_supplicant\nnetwork={\n    ssid=48616c6c\n    key_mgmt=NONE\n}\n"
    )


def test_the_board_is_called_after_its_table() -> None:
    assert [host_name(table) for table in (None, 3, 12, 999)] == [
        "saloon-table", "saloon-table-03", "saloon-table-12", "saloon-table-999",
    ]  # fmt: skip
    terminal = TerminalPart(table=4)
    assert system_files(Provisioning(STATION, terminal)) == {
        HOSTNAME: b"saloon-table-04\n",
        WIFI: None,
        SSH: None,
    }


def test_who_may_come_by_ssh_stands_in_one_line() -> None:
    files = system_files(Provisioning(STATION, service=ServicePart("ssh-ed25519 AAAA engineer")))
    assert files[SSH] == b"ssh-ed25519 AAAA engineer\n"
