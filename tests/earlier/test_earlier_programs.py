"""Programs of today read what the earlier version wrote into files: packs, backups, cards, settings."""

import json
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from core.cli.main import commands as rules
from core.editions.loader import editions, read_edition, read_house_rules
from hardware.wiring import read_wiring, shipped_wiring
from kiosk.terminal.startup_settings import settings_in
from station.cli.main import commands as station
from sync.enrolment.provisioning import provisioning_from, read_provisioning
from tests.earlier.test_earlier_station import TOURNAMENTS, differences, expected


def call(program: object, *arguments: object, text: str = "") -> Result:
    done = CliRunner().invoke(program, [str(one) for one in arguments], input=text)  # type: ignore[arg-type]
    assert done.exit_code == 0, done.output
    return done


@pytest.mark.slow
@pytest.mark.parametrize("name", TOURNAMENTS)
def test_a_proof_pack_is_judged_as_before(name: str, earlier: Path) -> None:
    for command in ("verify",) if name == "rebel" else ("verify", "rank", "score"):
        now = call(rules, command, "--json", earlier / "expected" / f"{name}.jsonl")
        before = json.loads(expected(earlier, f"{name}-{command}.json"))
        assert list(differences(before, json.loads(now.stdout))) == []


@pytest.mark.slow
def test_a_result_from_paper_in_the_middle_of_a_game_is_ranked(earlier: Path) -> None:
    """The earlier version itself could not rank such a pack; its API knew the totals."""
    pack = earlier / "expected/rebel.jsonl"
    (ranked,) = json.loads(call(rules, "rank", "--json", pack).stdout)
    cells = [row["cells"] for row in json.loads(expected(earlier, "rebel.json"))["ranking"]]
    assert {row["name"]: row["final_score"] for row in ranked["standings"]} == {
        row["name"]: row["total"] for row in cells
    }
    call(rules, "score", "--json", pack)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "passphrase"),
    [("backup.sqlite", ""), ("last.sqlite", ""), ("backup.sealed", "nobody reads this, partner\n")],
)
def test_a_backup_is_restored(file: str, passphrase: str, earlier: Path, tmp_path: Path) -> None:
    call(station, "restore", earlier / file, "--data", tmp_path / "data", text=passphrase)
    listed = call(station, "judge", "list", "--data", tmp_path / "data").output
    assert listed == expected(earlier, "accounts.txt")
    key = json.loads(expected(earlier, "tournaments.json"))["names"]["paper"]
    call(station, "export", key, tmp_path / "again.jsonl", "--data", tmp_path / "data")
    assert (tmp_path / "again.jsonl").read_bytes() == (earlier / "expected/paper.jsonl").read_bytes()


def test_card_files_from_the_page_are_read(earlier: Path) -> None:
    with zipfile.ZipFile(earlier / "cards.zip") as cards:
        names = [name for name in cards.namelist() if name.endswith("saloon.toml")]
        read = [provisioning_from(cards.read(name), name) for name in names]
    terminals, networks = [one.terminal for one in read], [one.wifi for one in read if one.wifi]
    assert [one.table for one in terminals] == [7, 8, None]
    assert {(one.language, one.rotation, one.inches) for one in terminals} == {("it", 90, 10.1)}
    assert [(one.name, one.password, one.country) for one in networks] == [("Hall", "seven riders", "IT")] * 3
    assert all(one.bus and one.token for one in terminals)
    assert {one.station.addresses for one in read} == {("192.0.2.10:7373",)}
    assert all(one.service.ssh_key.startswith("ssh-ed25519 ") for one in read)


def test_provisioning_files_are_read(earlier: Path) -> None:
    tables = (1, 10, 19)
    read = [read_provisioning(earlier / f"table-{number}.toml") for number in tables]
    assert tuple(one.terminal.table for one in read) == tables


def test_editions_are_read_and_say_the_same(earlier: Path) -> None:
    files = sorted((earlier / "files/editions").glob("*.toml"))
    assert [read_edition(file.read_text(encoding="utf-8"), file.name) for file in files] == list(editions())


def test_house_rules_are_read(earlier: Path) -> None:
    text = (earlier / "house-rules.toml").read_text(encoding="utf-8")
    assert read_house_rules(text, "house rules").key == "saturday"


def test_panels_are_read_and_say_the_same(earlier: Path) -> None:
    files = sorted((earlier / "files/panels").glob("*.toml"))
    assert len(files) == 6
    assert [read_wiring(file) for file in files] == [shipped_wiring(file.stem) for file in files]


def test_a_boards_settings_are_read(earlier: Path) -> None:
    settings = settings_in(earlier / "files/terminal.toml")
    assert (settings.pins, settings.sets_clock) == ("lgpio", True)
