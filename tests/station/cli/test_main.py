"""The program ``saloon-station`` as people and scripts call it."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest import mock

import httpx
import pytest
from click.testing import CliRunner

from base.clock import SystemClock
from base.errors import Unavailable
from station.accounts.invitations import Invitations
from station.accounts.judges import Judge, Judges
from station.accounts.permissions import AccountRole
from station.audit import AuditFilter, AuditLog
from station.cli.main import main
from station.store.data_folder import DataFolder
from station.store.database import Database
from station.updates.update_store import BundleUpload
from sync.enrolment.provisioning import read_provisioning
from tests.station.browser import shows
from tests.station.conftest import OPEN, Station

PROGRAM = Path(sys.executable).parent / "saloon-station"
PASSWORD = "at high noon\n"


def call(*arguments: object, text: str = "", status: int = 0) -> str:
    """Run the program in this process, and return its combined output."""
    argv = [str(PROGRAM), *map(str, arguments)]
    with (
        mock.patch.object(sys, "argv", argv),
        mock.patch.object(sys, "excepthook"),
        CliRunner().isolation(text) as (out, err, _),
    ):
        try:
            main()
            code: object = 0
        except SystemExit as ended:
            code = ended.code or 0
        said = (out.getvalue() + err.getvalue()).decode()
    assert code == status, said
    return said


@pytest.mark.slow
def test_a_judge_is_added_by_a_password_from_standard_input(tmp_path: Path) -> None:
    data = tmp_path / "data"
    said = call("judge", "add", "Roy", "--data", data, text=PASSWORD)
    assert "Judge Roy may log in" in said
    assert PASSWORD.strip() not in said
    assert data.stat().st_mode & 0o777 == 0o700
    database = Database(DataFolder(data).url)
    assert Judges(database, lambda: 0).check("Roy", PASSWORD.strip()) == Judge("Roy")
    database.close()
    assert call("judge", "list", "--data", data) == "Roy\thead-judge\n"
    assert "is the only head judge" in call("judge", "remove", "Roy", "--data", data, status=2)
    call("judge", "add", "Zoe", "--data", data, text=f"{PASSWORD}\n")
    call("judge", "remove", "Roy", "--data", data)
    assert call("judge", "list", "--data", data) == "Zoe\thead-judge\n"


@pytest.mark.slow
def test_accounts_have_roles(tmp_path: Path) -> None:
    where = ("--data", tmp_path)
    said = call("judge", "add", "Zoe", "--role", "floor-judge", *where, text=PASSWORD, status=2)
    assert "The first account must be a head judge's." in said
    call("judge", "add", "Roy", *where, text=PASSWORD)
    said = call("judge", "add", "Zoe", "--role", "floor-judge", *where, text=PASSWORD)
    assert "Judge Zoe may log in as floor-judge." in said
    assert call("judge", "list", *where) == "Roy\thead-judge\nZoe\tfloor-judge\n"
    database = Database(DataFolder(tmp_path).url)
    lines = AuditLog(database).page(AuditFilter(), 0, 9)
    database.close()
    assert [(one.route, one.facts["name"]) for one in lines] == [
        ("saloon-station judge add", "Zoe"),
        ("saloon-station judge add", "Roy"),
    ]
    assert all(one.judge and PASSWORD.strip() not in one.facts.values() for one in lines)
    assert "is the only head judge" in call("judge", "role", "Roy", "organiser", *where, status=2)
    call("judge", "role", "Zoe", "head-judge", *where)
    call("judge", "role", "Roy", "organiser", *where)
    assert call("judge", "list", *where) == "Roy\torganiser\nZoe\thead-judge\n"


@pytest.mark.slow
def test_an_invitation_made_here_opens_an_account(tmp_path: Path) -> None:
    where = ("--data", tmp_path)
    call("judge", "add", "Roy", *where, text=PASSWORD)
    said = call("judge", "invite", "Ann", "--role", "display", "--pages", "https://10.0.0.5:8443/", *where)
    key = said.strip().removeprefix("https://10.0.0.5:8443/invitation?key=")
    database = Database(DataFolder(tmp_path).url)
    judges = Judges(database, SystemClock().wall_ms)
    assert Invitations(judges).accept(key, PASSWORD) == Judge("Ann", AccountRole.DISPLAY)
    database.close()


@pytest.mark.slow
def test_an_encrypted_backup_is_restored_with_its_passphrase_only(station: Station, tmp_path: Path) -> None:
    station.opens(10)
    passphrase = "nobody reads this, partner"
    station.service.sealed_backups.set_passphrase(passphrase)
    file = tmp_path / "copy.sealed"
    file.write_bytes(station.service.sealed_backups.make())
    target = ("--data", tmp_path / "restored")
    assert "not its passphrase" in call("restore", file, *target, text=PASSWORD, status=2)
    assert not (tmp_path / "restored" / "station.sqlite").exists()
    assert "Restored." in call("restore", file, *target, text=f"{passphrase}\n")
    restored = Station(tmp_path / "restored")
    assert len(restored.service.tournament(OPEN).entrants) == 10
    restored.close()


def test_an_update_that_the_disk_refuses_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_upload: BundleUpload, _piece: bytes) -> None:
        raise Unavailable("updates: No space left on device")

    monkeypatch.setattr(BundleUpload, "add", full)
    bundle = tmp_path / "saloon.bundle"
    bundle.write_bytes(b"0" * 100)
    said = call("update", bundle, "--data", tmp_path / "data", status=2)
    assert "No space left on device" in said
    assert list((tmp_path / "data/updates").iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "text", "problem"),
    [
        (("judge", "add", "Roy"), "short\n", "8 characters"),
        (("judge", "remove", "Roy"), "", "has no station"),
        (("pins",), "", "has no station"),
        (("enrol", "--table", "0", "--out", "x.toml"), "", "1 to 999"),
        (("backup", "copy"), "", "has no station"),
        (("restore", "copy"), "", "No such file"),
        (("export", "open", "x.jsonl"), "", "has no station"),
        (("doctor",), "", "has no station"),
        (("serve", "--http", "here"), "", "HOST:PORT"),
        (("update", "notes"), "", "notes: this isn't a Saloon bundle"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    text: str,
    problem: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes").write_text("no bundle", encoding="utf-8")
    said = call(*arguments, "--data", tmp_path / "data", text=text, status=2)
    assert problem in " ".join(said.split())
    assert "Traceback" not in said


@pytest.mark.slow
def test_a_provisioning_file_is_written_for_its_owner_only(tmp_path: Path) -> None:
    out = tmp_path / "table-3.toml"
    call("enrol", "--table", 3, "--out", out, "--address", "192.0.2.7:7373", "--data", tmp_path / "data")
    provisioning = read_provisioning(out)
    assert (provisioning.terminal.table, provisioning.station.addresses) == (3, ("192.0.2.7:7373",))
    assert out.stat().st_mode & 0o777 == 0o600


@pytest.mark.slow
def test_a_report_is_a_pdf_beside_a_running_station(station: Station, tmp_path: Path) -> None:
    station.opens()
    where = ("--data", tmp_path)
    refused = call("report", "seats-by-name", OPEN, tmp_path / "seats.pdf", *where, status=2)
    assert "No draw has been published yet." in refused
    assert not (tmp_path / "seats.pdf").exists()
    station.publishes()
    paper = tmp_path / "seats.pdf"
    said = call("report", "seats-by-name", OPEN, paper, "--size", "letter", "--language", "it", *where)
    assert said.startswith(f"{paper}: ")
    read = subprocess.run(["pdftotext", str(paper), "-"], check=True, capture_output=True, text=True).stdout
    shows(read, "Player 10", "Pagina 1 di 1")
    with_codes = tmp_path / "badges.pdf"
    call("report", "badges", OPEN, with_codes, "--address", "https://192.0.2.1", *where)
    call("report", "badges", OPEN, tmp_path / "plain.pdf", *where)
    assert with_codes.stat().st_size > (tmp_path / "plain.pdf").stat().st_size
    assert "is not the paper of a round" in call(
        "report", "badges", OPEN, paper, "--force", "--round", 1, *where, status=2
    )
    other = tmp_path / "other.pdf"
    assert "there are: open-2026" in call("report", "badges", "none", other, *where, status=2)
    assert "https://HOST" in call("report", "badges", OPEN, other, "--address", "x y", *where, status=2)


@pytest.mark.slow
def test_backup_restore_export_and_doctor_on_a_real_station(station: Station, tmp_path: Path) -> None:
    station.opens(10)
    station.terminal(1)
    station.publishes()
    copy, export = tmp_path / "copy", tmp_path / "open.jsonl"
    # The station has its database open all the while.
    assert "checked" in call("backup", copy, "--data", tmp_path)
    assert "8 lines, digest " in call("export", "open-2026", export, "--data", tmp_path)
    assert export.read_text().count("\n") == 8
    shows(call("doctor", "--data", tmp_path), "tournament open-2026: Open, playing", "Everything is whole")
    assert "there are: open-2026" in call("export", "none", tmp_path / "x", "--data", tmp_path, status=2)
    assert "--force" in call("restore", copy, "--data", tmp_path, status=2)
    restored = tmp_path / "restored"
    assert "Restored" in call("restore", copy, "--data", restored)
    assert "Everything is whole" in call("doctor", "--data", restored)


@pytest.mark.slow
def test_no_command_replaces_a_file_unless_it_is_forced(station: Station, tmp_path: Path) -> None:
    station.opens(10)
    station.close()
    file = tmp_path / "thesis.txt"
    commands_to_file: tuple[tuple[object, ...], ...] = (
        ("backup", file),
        ("export", OPEN, file),
        ("report", "badges", OPEN, file),
        ("enrol", "--address", "192.0.2.7:7373", "--out", file),
    )
    for arguments in commands_to_file:
        file.write_text("years of work", encoding="utf-8")
        shows(call(*arguments, "--data", tmp_path, status=2), f"{file}: this file exists already", "--force")
        assert file.read_text(encoding="utf-8") == "years of work"
        call(*arguments, "--force", "--data", tmp_path)
        assert b"years of work" not in file.read_bytes()


@pytest.mark.slow
def test_what_is_no_file_is_never_replaced(tmp_path: Path, station: Station) -> None:
    """Replacing a device, such as /dev/null, would break it for everybody."""
    station.opens(10)
    station.close()
    device = tmp_path / "device"
    os.mkfifo(device)
    for file in (device, ""):
        for arguments in (("backup", file), ("export", OPEN, file), ("enrol", "--out", file)):
            said = call(*arguments, "--force", "--data", tmp_path, status=2)
            assert f"{file or '.'}: this is no file that can be replaced" in said
    assert device.is_fifo()


def damages(station: Station, seq: int) -> str:
    """Change an entry of a terminal that has begun its game, and return its stream."""
    terminal = station.running_round()
    terminal.sends()
    changed = "UPDATE entries SET raw = ? WHERE stream = ? AND seq = ?"
    with station.database.transaction() as connection:
        assert connection.exec_driver_sql(changed, (b"x", terminal.stream, seq)).rowcount == 1
    return terminal.stream


@pytest.mark.slow
def test_doctor_names_what_is_damaged(station: Station, tmp_path: Path) -> None:
    stream = damages(station, 2)
    said = call("doctor", "--data", tmp_path, status=1)
    assert f"{stream}, entry 2" in said


@pytest.mark.slow
def test_backup_and_restore_name_the_changed_entries_of_terminals(station: Station, tmp_path: Path) -> None:
    stream = damages(station, 1)
    copy = tmp_path / "copy"
    assert f"{stream}: damaged from entry 1 on" in call("backup", copy, "--data", tmp_path)
    said = call("restore", copy, "--data", tmp_path / "restored")
    shows(said, f"Quarantined: {stream}, entry 1", "Restored")


@pytest.mark.slow
def test_a_running_station_keeps_other_writers_out(tmp_path: Path) -> None:
    with DataFolder(tmp_path).exclusive_lock():
        assert "running here" in call("judge", "add", "Roy", "--data", tmp_path, text=PASSWORD, status=2)
        copy = tmp_path / "copy"
        copy.write_bytes(b"")
        assert "running here" in call("restore", copy, "--force", "--data", tmp_path, status=2)


@pytest.mark.slow
def test_a_new_station_opens_the_browser_at_the_page_for_the_first_account(tmp_path: Path) -> None:
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.new; mv {opened}.new {opened}\n', encoding="utf-8")
    browser.chmod(0o755)
    where = ("--data", tmp_path / "data", "--http", "127.0.0.1:0", "--tls-port", "0", "--no-announce")
    with subprocess.Popen(
        [PROGRAM, "serve", "--open", *where],
        env={**os.environ, "BROWSER": str(browser)},
        stdout=subprocess.DEVNULL,
    ) as running:
        try:
            end = time.monotonic() + 60
            while not opened.exists() and time.monotonic() < end:
                time.sleep(0.05)
            address = opened.read_text(encoding="utf-8").strip()
            code = re.fullmatch(r"http://127\.0\.0\.1:\d+/first\?code=(\S+)", address)
            assert code is not None
            assert code[1] in httpx.get(address).raise_for_status().text
        finally:
            running.terminate()


@pytest.mark.slow
@pytest.mark.parametrize(
    "number",
    [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.nightly)],
    ids=["SIGTERM", "SIGINT"],
)
def test_the_station_serves_its_pages_and_ends_cleanly(tmp_path: Path, number: int) -> None:
    call("judge", "add", "Roy", "--data", tmp_path, text=PASSWORD)
    with subprocess.Popen(
        [PROGRAM, "serve", "--data", tmp_path, "--http", "127.0.0.1:0", "--tls-port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        try:
            assert running.stdout is not None
            address = re.search(r"http://127\.0\.0\.1:\d+", running.stdout.readline())
            assert address is not None
            assert httpx.get(address.group(), follow_redirects=True).status_code == 200
            with httpx.Client(base_url=address.group()) as browser:
                form = re.findall(r'name="(_csrf_token)" value="(\w+)"', browser.get("/login").text)
                browser.post("/login", data={**dict(form), "name": "Roy", "password": PASSWORD.strip()})
                with browser.stream("GET", "/judge/events") as stream:
                    assert stream.headers["content-type"].startswith("text/event-stream")
                    running.send_signal(number)
                    assert "event: rest" not in "".join(stream.iter_text())
            _, said = running.communicate(timeout=10)
        finally:
            running.kill()
    assert running.returncode == 0
    assert "Traceback" not in said
    assert said.strip().endswith("station stopped"), said


@pytest.mark.slow
def test_a_stick_is_taken_in_without_the_pages_once(tmp_path: Path, station: Station) -> None:
    away = station.round_with_terminal()
    away.plays_unsent()
    stick = tmp_path / "stick.parcel"
    stick.write_bytes(away.seals_entries())
    junk = tmp_path / "junk.parcel"
    junk.write_bytes(b"SP\x01" + bytes(200))
    station.close()
    said = call("take", stick, junk, "--data", tmp_path, status=2)
    assert f"round 1, table 1: {len(away.entries)} new entries have been imported" in said
    assert "isn't enrolled with this station" in said
    again = call("take", stick, "--data", tmp_path)
    assert "all entries were here already" in again
    assert "everything is whole" in call("doctor", "--data", tmp_path).lower()


@pytest.mark.slow
def test_while_the_station_runs_a_stick_is_for_its_page(tmp_path: Path) -> None:
    stick = tmp_path / "stick.parcel"
    stick.write_bytes(b"SP\x01" + bytes(200))
    data = tmp_path / "data"
    call("judge", "add", "Roy", "--data", data, text=PASSWORD)
    with DataFolder(data).exclusive_lock():
        assert "runs" in call("take", stick, "--data", data, status=2)


def test_the_export_of_a_damaged_database_says_so(station: Station, tmp_path: Path) -> None:
    stream = damages(station, 9)
    export = tmp_path / "open.jsonl"
    said = call("export", "open-2026", export, "--data", tmp_path, status=1)
    assert f"{stream}: damaged after entry 8" in said
    assert export.exists()
