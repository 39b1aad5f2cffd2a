import textwrap
from contextlib import suppress
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given
from hypothesis import strategies as st

from base.errors import BadData, Unavailable
from base.languages import LANGUAGES
from core.terms import TableNo
from station.appliance.card import KEYS as STATION_KEYS
from sync.enrolment.provisioning import (
    Provisioning,
    ServicePart,
    StationPart,
    TerminalPart,
    WifiPart,
    provisioning_of,
    provisioning_text,
    read_provisioning,
    text_of,
)
from sync.enrolment.provisioning_keys import KEYS, PANELS, ROTATIONS, SHOWN_KEYS, WrongFile, is_wifi_name
from sync.tls.certificates import generate_certificate

CERTIFICATE = generate_certificate("station")[1]


def test_what_the_station_writes_the_terminal_reads() -> None:
    station = StationPart(CERTIFICATE.strip() + "\n", ("192.168.1.10:7373", "[fe80::1]:7373"))
    text = provisioning_text(station, TableNo(12), "once", "/dev/ttyUSB0")
    assert provisioning_of(text, "file") == Provisioning(station, TerminalPart("once", 12, "/dev/ttyUSB0"))
    text = provisioning_text(station, None, "once")
    assert provisioning_of(text, "file") == Provisioning(station, TerminalPart("once"))


def test_a_cable_may_be_a_shared_pair_of_wires() -> None:
    text = provisioning_text(StationPart(CERTIFICATE.strip() + "\n"), None, "once", "/dev/ttyUSB0")
    terminal = provisioning_of(text + "bus = true\nrts = true\n", "file").terminal
    assert (terminal.serial, terminal.bus, terminal.rts) == ("/dev/ttyUSB0", True, True)


def test_what_a_terminal_took_over_says_the_same_when_it_is_kept() -> None:
    terminal = TerminalPart(
        "once", 4, "/dev/ttyAMA0", bus=True, rts=True, taken_from="0" * 64, panel="pi-4-rs485"
    )
    whole = Provisioning(StationPart(CERTIFICATE.strip() + "\n"), terminal)
    assert provisioning_of(text_of(whole), "file") == whole


STATION = f"[station]\ncertificate = '''\n{CERTIFICATE.strip()}\n'''\n"
LINES = STATION.count("\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[station\n", r"line 1: \[station: not valid TOML"),
        ("[station]\ncertificate = '" + "''" + "\nabc", "line 3: abc: not valid TOML"),
        ("[station]\ncertificate = “x”\n", r"line 2: certificate = “x”: this line has curly"),
        ("STATION[terminal]\ninches = 10,1\n", "inches = 10,1: write a decimal point"),
        ("STATION[terminal]\ntable = 7\ntable = 8\n", "table = 8: this is in the file twice"),
        ("STATION[terminal]\n[terminal]\n", r"\[terminal\]: this is in the file twice"),
        ("", r"\[station\]: this is missing"),
        ("[station]\n", r"line 1: \[station\] certificate: this is missing"),
        ("[station]\ncertificate = 3\n", r"line 2: \[station\] certificate = 3: the station's certificate"),
        ("[station]\ncolour = 1\n", r"line 2: \[station\] colour = 1: unknown key$"),
        ("[statoin]\n", r"line 1: \[statoin\]: unknown section; did you mean \[station\]\?"),
        ("[whisky]\n", r"line 1: \[whisky\]: unknown section$"),
        ("rotation = 90\n", r"line 1: rotation = 90: this key belongs below the line \[terminal\]"),
        ("terminal = 3\n", r"line 1: terminal = 3: write \[terminal\] on a line of its own"),
        ("[station]\naddresses = ['here']\n", r"line 2: \[station\] addresses = \['here'\]: a list of addr"),
        ("[station]\naddresses = ['here:0']\n", "a list of addresses, each one host:port"),
        ("[station]\naddresses = ['here:65536']\n", "a list of addresses"),
        ("[station]\naddresses = [':7373']\n", "a list of addresses"),
        ("[station]\naddresses = [\n  'a:1',\n  4\n]\n", r"line 2: \[station\] addresses = \[: a list"),
        ("[station]\naddresses = " + "[" * 5000, "not valid TOML"),
        ("[station]\naddresses = " + "{a=" * 3000, "not valid TOML"),
        (f"[terminal]\ntable = {'1' * 5000}\n", "not valid TOML"),
    ],
)
def test_a_wrong_file_is_named_with_line_and_key(text: str, said: str) -> None:
    with pytest.raises(WrongFile, match=f"^saloon.toml: .*{said}"):
        provisioning_of(text.replace("STATION", STATION), "saloon.toml")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("table = 0", "a number from 1 to 999"),
        ("table = '7'", "a number from 1 to 999"),
        ("table = true", "a number from 1 to 999"),
        ("rotation = 45", "one of 0, 90, 180, 270"),
        ("rotation = false", "one of 0, 90, 180, 270"),
        ("rotatoin = 90", r"unknown key; did you mean rotation\?"),
        ("ssh_key = 'x'", r"this key belongs below the line \[service\]"),
        ("language = 'klingon'", "one of en, it, de, fr, es"),
        ("inches = 2.9", "a number from 3 to 32"),
        ("inches = nan", "a number from 3 to 32"),
        ("bus = 1", "true or false"),
        ("serial = 4", "text in straight quotation marks"),
        ("'serial' = 4", "text in straight quotation marks"),
        (
            "panel = 'bare-pi-2'",
            "one of none, bare-pi-3, .*, or the path .*",
        ),
    ],
)
def test_what_a_terminal_cannot_be_is_told_with_what_it_can(line: str, said: str) -> None:
    text = f"{STATION}\n# Mine.\n[terminal] # ours\n\n{line}\n"
    with pytest.raises(WrongFile, match=f"line {LINES + 5}: \\[terminal\\] {line}: {said}$"):
        provisioning_of(text, "saloon.toml")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("[wifi]\npassword = 'long enough'", r"line {}: \[wifi\] name: this is missing"),
        ("[wifi]\nname = ''", "the name of the network, 1 to 32 bytes"),
        ("[wifi]\nname = 'ééééééééééééééééé'", "the name of the network, 1 to 32 bytes"),
        ('[wifi]\nname = "a\\nb"', "the name of the network, 1 to 32 bytes"),
        ("[wifi]\nname = 'Hall'\npassword = 'secret7'", r"password = •••: 8 to 63 English letters"),
        ("[wifi]\nname = 'Hall'\ncountry = 'it'", "two capital letters"),
        ("[wifi]\nname = 'Hall'\nhidden = 'no'", "true or false"),
        ("[service]\nssh_key = 'ssh-ed25519 AAAA'", "one line of an OpenSSH public key"),
        ("[service]\nssh_key = 'command=\"x\" ssh-ed25519 AAAA'", "one line of an OpenSSH public key"),
        ("[service]\nssh_key = '-----BEGIN OPENSSH PRIVATE KEY-----'", "this is a private key"),
        ("[terminal]\ntoken = 'once", r"token = •••: not valid TOML"),
        ("[wifi]\nname='Hall'\n'password'=secret77", r"'password'=•••: not valid TOML"),
        ("[wifi]\nname='Hall'\npasswrod = 'secret7'", r"passwrod = •••: .*did you mean password\?"),
        ("[wifi]\nname='Hall'\npasswort = secret77", r"passwort = •••: not valid TOML"),
        ("[wifi]\nname='Hall'\npassword 'secret7'", r"password •••: not valid TOML"),
        ("wifi = {name = 'Hall', password = 'secret7'}", r"line {}: \[wifi\] wifi = •••: 8 to 63"),
    ],
)
def test_what_the_system_cannot_use_is_told_without_its_secrets(lines: str, said: str) -> None:
    # A table in one line stands before all sections.
    text, first = (f"{lines}\n{STATION}", 1) if "{name" in lines else (STATION + lines + "\n", LINES + 1)
    with pytest.raises(WrongFile, match=said.format(first)) as wrong:
        provisioning_of(text, "saloon.toml")
    assert "secret7" not in str(wrong.value)


def test_the_value_of_every_key_that_is_no_secret_is_shown() -> None:
    known = {key for section in KEYS.values() for key in section}
    of_stations = {key for section in STATION_KEYS.values() for key in section}
    assert known | of_stations == SHOWN_KEYS | {"password", "token"}


def test_a_key_is_taken_as_its_owner_copies_it() -> None:
    for minted_key in (Ed25519PrivateKey.generate(), ec.generate_private_key(ec.SECP256R1())):
        raw = minted_key.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
        for line in (raw, f"{raw} judge@laptop"):
            provisioning = provisioning_of(f"{STATION}[service]\nssh_key = '{line}'\n", "file")
            assert provisioning.service.ssh_key == line
        for line in (f"{raw}\\nssh-rsa AAAA", f" {raw}", raw[:-9]):
            with pytest.raises(WrongFile, match="one line of an OpenSSH public key"):
                provisioning_of(f'{STATION}[service]\nssh_key = "{line}"\n', "file")


def test_the_terminal_keeps_nothing_that_is_for_the_system() -> None:
    whole = Provisioning(
        StationPart(CERTIFICATE.strip() + "\n"),
        TerminalPart("once"),
        WifiPart("Hall", "eight888"),
        ServicePart(),
    )
    assert whole.without_system() == Provisioning(whole.station, whole.terminal)


def test_the_page_of_the_docs_names_every_key_and_its_example_is_a_file() -> None:
    said = (Path(__file__).parents[3] / "docs" / "setup" / "provisioning.md").read_text(encoding="utf-8")
    for section, keys in KEYS.items():
        assert f"`[{section}]`" in said
        for key in set(keys) - {"taken_from"}:
            assert f"| `{key}` |" in said
    example = textwrap.dedent(said.split("\n\n    ", 1)[1].split("\n\n## ")[0])
    provisioning = provisioning_of(f"    {example}".replace("…PEM…", CERTIFICATE.strip()).strip(), "docs")
    assert provisioning.wifi is not None
    assert provisioning.terminal.rotation == 90


def test_a_file_may_come_from_any_editor(tmp_path: Path) -> None:
    expected = provisioning_of(STATION, "file")
    file = tmp_path / "saloon.toml"
    for content in (
        STATION.encode(),
        b"\xef\xbb\xbf" + STATION.encode(),
        STATION.replace("\n", "\r\n").encode(),
    ):
        file.write_bytes(content)
        assert read_provisioning(file) == expected


def test_a_file_without_end_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with pytest.raises(WrongFile, match="too long"):
        read_provisioning(Path("/dev/zero"))
    file = tmp_path / "saloon.toml"
    file.write_text("\n" * 1000, encoding="utf-8")
    with pytest.raises(WrongFile, match="too long"):
        read_provisioning(file)


PLAIN = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=20).filter(
    str.isprintable
)
TERMINALS = st.builds(
    TerminalPart,
    token=PLAIN,
    table=st.none() | st.integers(1, 999),
    serial=PLAIN,
    bus=st.booleans(),
    rts=st.booleans(),
    taken_from=PLAIN,
    panel=st.sampled_from([*PANELS, "", "/data/panel.toml"]),
    language=st.sampled_from(sorted(LANGUAGES)) | st.just(""),
    rotation=st.none() | st.sampled_from(ROTATIONS),
    inches=st.none() | st.floats(3, 32),
)
WIFIS = st.builds(
    WifiPart,
    name=PLAIN.filter(is_wifi_name),
    password=st.just("")
    | st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=8, max_size=63),
    country=st.sampled_from(["", "IT", "DE"]),
    hidden=st.booleans(),
)


@given(TERMINALS, st.none() | WIFIS)
def test_whatever_is_written_is_read_as_it_was(terminal: TerminalPart, wifi: WifiPart | None) -> None:
    station = StationPart(CERTIFICATE.strip() + "\n", ("192.168.1.10:7373",))
    whole = Provisioning(station, terminal, wifi)
    assert provisioning_of(text_of(whole), "file") == whole


@given(st.text(max_size=80), st.integers(0, 400))
def test_whatever_is_typed_into_a_file_is_taken_or_explained(typed: str, at: int) -> None:
    text = provisioning_text(StationPart(CERTIFICATE, ("hall:7373",)), TableNo(3), "once")
    with suppress(WrongFile):
        provisioning_of(text[:at] + typed + text[at:], "file")


@pytest.mark.parametrize("lost", range(1, len(CERTIFICATE.strip().splitlines()) - 1))
def test_a_certificate_that_lost_a_line_on_its_way_is_told_before_the_file_is_taken(lost: int) -> None:
    lines = CERTIFICATE.strip().splitlines()
    text = "\n".join((*lines[:lost], *lines[lost + 1 :]))
    with pytest.raises(WrongFile, match=r"line 2: \[station\] certificate = "):
        provisioning_of(f"[station]\ncertificate = '''\n{text}\n'''\n", "file")


def test_a_file_that_is_not_there_or_no_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"there\.toml: No such file"):
        read_provisioning(tmp_path / "there.toml")
    (tmp_path / "here.toml").write_bytes(b"\xff\xfe\0")
    with pytest.raises(BadData, match="here\\.toml: this isn't plain UTF-8 text"):
        read_provisioning(tmp_path / "here.toml")
