"""The judge's page of cards."""

import contextlib
import io
import re
import zipfile
from html import unescape

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.errors import Refused
from core.terms import TableNo
from hardware.wiring import shipped_names
from station.accounts.permissions import AccountRole
from station.cards.service import Cards, format_table_ranges, tables_of
from sync.enrolment.provisioning import Provisioning, provisioning_of
from sync.enrolment.provisioning_keys import PANELS
from sync.tls.certificates import generate_certificate
from tests.station.browser import Browser, first_group, logged_in_as, shows
from tests.station.card_rig import image_file, is_sound, read_back
from tests.station.conftest import Station

HERE = "/judge/terminals/cards"
WIFI = {"wifi-name": "Hall", "wifi-password": "under the stairs", "wifi-country": "it"}


def zipped(
    judge: Browser, tables: str, spares: str = "", language: str = "en", **more: str
) -> httpx.Response:
    judge.get(HERE, language)
    return judge.answer(f"{HERE}/files", {"tables": tables, "spares": spares, **more}, language)


def mark_on(page: str) -> str:
    return first_group(r'<tr id="([0-9A-F]{6})"', page)


def settles(judge: Browser, **fields: str) -> str:
    """Send the form of what all cards say, and return its answer."""
    return judge.send(f"{HERE}/settings", {**WIFI, **fields})


def read(answer: httpx.Response) -> dict[str, Provisioning]:
    """Return the files of a ZIP by folder."""
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        names = [name for name in archive.namelist() if name.endswith("saloon.toml")]
        return {
            name.split("/")[0]: provisioning_of(archive.read(name).decode(), name) for name in sorted(names)
        }


def test_a_zip_has_a_folder_for_each_table_and_each_spare(judge: Browser) -> None:
    files = read(zipped(judge, "1-3, 12", "2"))
    assert list(files) == ["spare-1", "spare-2", "table-01", "table-02", "table-03", "table-12"]
    assert [file.terminal.table for file in files.values()] == [None, None, 1, 2, 3, 12]
    assert len({file.terminal.token for file in files.values()}) == 6


def test_what_to_do_with_it_is_said_inside(judge: Browser) -> None:
    with zipfile.ZipFile(io.BytesIO(zipped(judge, "7").content)) as archive:
        said = archive.read("README.txt").decode()
    shows(said, "table-07/saloon.toml", "SALOON")
    assert mark_on(judge.get(HERE)) in said


def test_what_is_typed_beside_the_tables_is_in_the_files_without_another_button(judge: Browser) -> None:
    file = read(zipped(judge, "1", **WIFI, language="it"))["table-01"]
    assert file.wifi is not None
    assert (file.wifi.name, file.wifi.password) == ("Hall", "under the stairs")
    assert 'value="Hall"' in judge.get(HERE)


def test_nothing_is_made_where_what_all_cards_say_is_wrong(judge: Browser) -> None:
    answer = zipped(judge, "1-3", **{**WIFI, "wifi-password": "short"})
    assert answer.headers["content-type"] != "application/zip"
    assert "No files created yet." in judge.get(HERE)


@pytest.mark.parametrize(
    ("cable", "device", "serial", "bus"),
    [
        ("", "", "", False),
        ("own", "", "/dev/ttyUSB0", False),
        ("shared", "/dev/serial0", "/dev/serial0", True),
    ],
)
def test_cards_name_the_tables_cable(
    judge: Browser, cable: str, device: str, serial: str, *, bus: bool
) -> None:
    typed = {"wifi-name": "", "cable": cable, "device": device}
    file = read(zipped(judge, "1", **typed))["table-01"]
    assert (file.terminal.serial, file.terminal.bus, file.wifi) == (serial, bus, None)


def test_the_wifi_password_is_remembered_and_never_shown(judge: Browser) -> None:
    page = settles(judge, language="it", rotation="90", inches="10,1")
    shows(page, "Saved.", 'value="Hall"', "••••••••", never="under the stairs")
    # What is left empty stays; the rest changes.
    settles(judge, **{"wifi-password": "", "language": "de"})
    file = read(zipped(judge, "1"))["table-01"]
    assert file.wifi is not None
    assert (file.wifi.name, file.wifi.password, file.wifi.country) == ("Hall", "under the stairs", "IT")
    assert (file.terminal.language, file.terminal.rotation) == ("de", None)
    settles(judge, **{"wifi-password": "", "wifi-open": "yes"})
    open_wifi = read(zipped(judge, "1", replace="yes"))["table-01"].wifi
    assert open_wifi is not None
    assert open_wifi.password == ""
    judge.send(f"{HERE}/settings", {"wifi-name": ""})
    assert read(zipped(judge, "1", replace="yes"))["table-01"].wifi is None


def test_a_wifi_without_a_password_is_open_only_where_that_is_ticked(judge: Browser) -> None:
    page = settles(judge, **{"wifi-password": ""})
    shows(page, "The Wi-Fi password is missing: type it", never='value="Hall"')


def test_what_no_terminal_could_read_is_refused_at_once(judge: Browser) -> None:
    for field, value, said in (
        ("wifi-password", "short", "[wifi] password: 8 to 63 English letters"),
        ("wifi-country", "I1", "[wifi] country: two capital letters"),
        ("ssh-key", "hello", "[service] ssh_key: one line of an OpenSSH public key"),
        ("ssh-key", "-----BEGIN OPENSSH PRIVATE KEY-----", "this is a private key"),
        ("addresses", "a b:x", "[station] addresses: a list of addresses"),
        ("inches", "2", "Choose a number from 3 to 32"),
        ("inches", "large", "large isn't a whole number"),
        ("language", "tlh", "[terminal] language: one of en, it"),
    ):
        page = settles(judge, **{field: value})
        assert said in page
        assert 'value="Hall"' not in page


def test_unused_files_are_replaced_only_after_a_question(judge: Browser) -> None:
    first = read(zipped(judge, "1-3"))
    answer = zipped(judge, "2-4")
    assert "Create these files again?" in answer.text
    assert answer.headers["content-type"].startswith("text/html")
    assert len(re.findall(r"<code>[0-9A-F]{6}</code>", answer.text)) == 2
    again = judge.answer(f"{HERE}/files", {"tables": "2-4", "spares": "0", "replace": "yes"})
    station = judge.station
    old, new = first["table-02"].terminal.token, read(again)["table-02"].terminal.token
    assert station.directory.enrol(old, generate_certificate("a")[1]) is None
    assert station.directory.enrol(new, generate_certificate("a")[1]) is not None
    station.settle()
    # A used file is not replaced, and nobody is asked about it.
    assert list(read(zipped(judge, "2"))) == ["table-02"]


def test_a_lost_file_is_withdrawn(station: Station, judge: Browser) -> None:
    token = read(zipped(judge, "5"))["table-05"].terminal.token
    withdraw = first_group(rf'action="({HERE}/[0-9a-f]{{64}}/withdraw)"', judge.get(HERE))
    shows(judge.post(withdraw), "The file has been withdrawn.", ">withdrawn<")
    assert station.directory.enrol(token, generate_certificate("a")[1]) is None
    judge.post(withdraw, expected=404)
    zipped(judge, "6, 7")
    shows(judge.post(f"{HERE}/withdraw"), "The files have been withdrawn.", never="haven't been used yet")


def test_tables_that_are_none_are_refused(judge: Browser) -> None:
    for tables in ("0", "1-1000", "x", "1-", "-3", "3-x", "١"):
        assert "isn't a list of tables: write 1-50" in unescape(zipped(judge, tables).text)


def test_nothing_asked_for_is_refused(judge: Browser) -> None:
    assert "Enter the tables" in zipped(judge, " ").text
    assert "Choose a number from 0 to 50" in zipped(judge, "1", "51").text


@pytest.mark.slow
def test_a_whole_card_is_sent_with_its_file_inside_and_nothing_is_kept(
    tmp_path_factory: pytest.TempPathFactory, station: Station
) -> None:
    folder = tmp_path_factory.mktemp("images")
    image = image_file(folder / "saloon-terminal-arm64.img")
    station.service.put(Cards, Cards(station.context, folder))
    judge = Browser(station)
    judge.log_in()
    assert image.name in judge.get(HERE)
    before = image.read_bytes()
    answer = judge.answer(f"{HERE}/image", {"image": image.name, "table": "7"})
    assert answer.headers["content-length"] == str(len(before))
    assert 'filename="saloon-table-07.img"' in answer.headers["content-disposition"]
    card = tmp_path_factory.mktemp("card") / "card.img"
    card.write_bytes(answer.content)
    assert is_sound(card)
    assert provisioning_of(read_back(card).decode(), "card").terminal.table == 7
    assert image.read_bytes() == before
    assert [path.name for path in folder.iterdir()] == [image.name]
    # The file of this card was not used yet: another one takes its place only after a question.
    question = judge.answer(f"{HERE}/image", {"image": image.name, "table": "7"})
    assert "Create these files again?" in question.text
    assert "doesn't have that card image" in judge.send(
        f"{HERE}/image", {"image": "../other.img", "table": "8"}
    )


def test_the_label_of_a_card_that_was_replaced_tells_so(judge: Browser) -> None:
    zipped(judge, "5")
    row = f'<tr id="{(mark := mark_on(judge.get(HERE)))}"'
    zipped(judge, "5", replace="yes")
    assert row not in judge.get(HERE)
    page = judge.get(f"{HERE}?mark={mark}")
    assert row in page
    assert ">withdrawn<" in page


def test_labels_carry_table_and_mark(judge: Browser) -> None:
    zipped(judge, "1-2", "1")
    page = judge.get(f"{HERE}/labels?tables=1-3&spares=1")
    assert re.findall(r"<b>(\w+)</b>", page) == ["1", "2", "3", "spare"]
    assert len(re.findall(r"<code>[0-9A-F]{6}</code>", page)) == 3
    assert page.count('src="data:image/svg+xml') == 4
    assert "isn't a list of tables" in judge.get(f"{HERE}/labels?tables=x")


def test_the_page_offers_what_a_terminal_can_be() -> None:
    assert set(PANELS) == set(shipped_names())


@given(st.sets(st.integers(1, 999), max_size=600))
def test_tables_are_typed_back_as_they_were_meant(numbers: set[int]) -> None:
    tables = tuple(TableNo(number) for number in sorted(numbers))
    assert tables_of(format_table_ranges(tables)) == tables


def test_a_text_that_is_too_long_is_refused_and_not_cut() -> None:
    every_second = tuple(TableNo(number) for number in range(1, 1000, 2))
    assert tables_of(format_table_ranges(every_second)) == every_second
    with pytest.raises(Refused):
        tables_of("1, " * 2000)


@given(st.text(max_size=300))
def test_whatever_is_typed_for_tables_is_tables_or_refused(text: str) -> None:
    with contextlib.suppress(Refused):
        assert all(1 <= table <= 999 for table in tables_of(text))


def test_an_organiser_puts_no_ssh_key_on_the_cards_of_judges(station: Station, judge: Browser) -> None:
    """An organiser may be playing, and the key opens the terminals of running tables."""
    organiser = logged_in_as(station, AccountRole.ORGANISER)
    own, others = (
        f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHsv7qSPLhyvhYxRgBwTPSlMw3GlZxPMqv1sJqHbiVhZ {name}"
        for name in ("judge", "organiser")
    )
    assert "ssh-key" not in organiser.get(HERE)
    organiser.send(f"{HERE}/settings", {**WIFI, "ssh-key": others})
    (file,) = read(zipped(judge, "1")).values()
    assert (file.service.ssh_key, file.wifi and file.wifi.name) == ("", "Hall")
    judge.send(f"{HERE}/settings", {**WIFI, "ssh-key": own})
    organiser.get(HERE)
    read(zipped(organiser, "2", **WIFI, **{"ssh-key": others}))
    (file,) = read(zipped(judge, "3")).values()
    assert file.service.ssh_key == own
