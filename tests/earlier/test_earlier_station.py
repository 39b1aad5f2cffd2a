"""A station of today shows what the earlier version showed of its tournaments."""

import csv
import io
import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from station.accounts.invitations import Invitations
from tests.station.browser import Browser

pytestmark = pytest.mark.slow
TOURNAMENTS = ("paper", "championship", "italian", "official", "rebel", "draft", "running")
PUBLISHED = ("paper", "championship", "italian")
PAGES = (
    "", "players", "check-in", "projectors", "draw", "floor", "print", "data", "history", "standings",
    "finals", "proof",
)  # fmt: skip
EJECTED = "left, then eliminated", "ejected, then eliminated"
"""A record sheet says since then that a player was ejected."""


def expected(earlier: Path, name: str) -> str:
    return (earlier / "expected" / name).read_text(encoding="utf-8-sig")


@pytest.fixture(scope="module")
def ids(earlier: Path) -> dict[str, str]:
    """The ids of the tournaments by their names in this test."""
    names: dict[str, str] = json.loads(expected(earlier, "tournaments.json"))["names"]
    return names


def differences(before: object, now: object, path: str = "") -> Iterator[str]:
    """Yield where a value differs; a field may be new."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name in before:
            yield from differences(before[name], now.get(name, "is missing"), f"{path}.{name}")
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for number, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from differences(one, other, f"{path}[{number}]")
    elif before != now and (before, now) != EJECTED:
        yield f"{path}: {before!r} is now {now!r}"


def token(earlier: Path) -> str:
    return expected(earlier, "token.txt").strip()


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_programs_read_the_same_rows(name: str, earlier: Path, ids: dict[str, str], judge: Browser) -> None:
    before = json.loads(expected(earlier, f"{name}.json"))
    for part, rows in before.items():
        answer = judge.status(
            f"/api/v1/tournaments/{ids[name]}/{part}", authorization=f"Bearer {token(earlier)}"
        )
        assert answer.status_code == 200, part
        assert list(differences(rows, answer.json())) == [], part


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_exported_tables_are_the_same(name: str, earlier: Path, ids: dict[str, str], judge: Browser) -> None:
    for table in ("players", "seats", "results", "penalties", "ranking"):
        before = list(csv.DictReader(io.StringIO(expected(earlier, f"{name}-{table}.csv"))))
        text = judge.status(f"/judge/t/{ids[name]}/data/{table}/file.csv").content.decode("utf-8-sig")
        assert list(differences(before, list(csv.DictReader(io.StringIO(text))))) == [], table


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_the_proof_pack_is_written_again_byte_by_byte(
    name: str, earlier: Path, ids: dict[str, str], judge: Browser
) -> None:
    again = judge.status(f"/judge/t/{ids[name]}/export")
    assert again.content == (earlier / "expected" / f"{name}.jsonl").read_bytes()


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_public_page_shows_the_same_ranking(
    name: str, earlier: Path, ids: dict[str, str], judge: Browser
) -> None:
    page = unescape(judge.get(f"/t/{ids[name]}"))
    ranking = json.loads(expected(earlier, f"{name}.json"))["ranking"]
    assert ranking
    for row in (one["cells"] for one in ranking):
        assert f'data-total="{row["total"]}" data-name="{row["name"]}"' in page


def test_every_page_of_every_tournament_opens(ids: dict[str, str], judge: Browser) -> None:
    for tournament in ids.values():
        for part in PAGES:
            judge.get(f"/judge/t/{tournament}/{part}".rstrip("/"))


def test_every_list_of_the_tournaments_is_the_same(earlier: Path, judge: Browser) -> None:
    before = json.loads(expected(earlier, "tournaments.json"))["api"]
    assert list(differences(before, judge.status("/api/v1/tournaments").json())) == []


def points(cells: list[str]) -> dict[str, list[str]]:
    """The points by player, without the place; those of a name that differs in accents are left out."""
    rows = [cells[start + 1 : start + 6] for start in range(6, len(cells), 6)]
    return {name: points for name, *points in rows if not name.startswith("Dario Esp")}


def test_the_season_has_the_same_points(earlier: Path, judge: Browser) -> None:
    """Since then Dario Esposito and Dario Espósito, of one club, are one player of a season."""
    before = json.loads(expected(earlier, "season.json"))
    cells = re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", judge.get(f"/season/{before['season']}"), re.DOTALL)
    now = [re.sub(r"<[^>]*>", "", cell).strip() for cell in cells]
    assert len(points(now)) == 9
    assert points(now) == points(before["cells"])


def test_the_archived_tournament_is_still_archived(ids: dict[str, str], judge: Browser) -> None:
    archived = [name for name, one in ids.items() if f"/judge/t/{one}/reopen" in judge.get(f"/judge/t/{one}")]
    assert archived == ["paper"]


def test_accounts_roles_and_invitations_are_still_there(earlier: Path, judge: Browser) -> None:
    lines = [f"{one.name}\t{one.role.value}" for one in judge.judges.all()]
    assert lines == expected(earlier, "accounts.txt").splitlines()
    assert judge.judges.check("Flo", "Flo and a tumbleweed") is not None
    assert [one.name for one in Invitations(judge.judges).all()] == ["Nina"]


def test_the_audit_log_keeps_its_lines(earlier: Path, judge: Browser) -> None:
    before = [json.loads(line) for line in expected(earlier, "audit.jsonl").splitlines()]
    now = [json.loads(line) for line in judge.status("/judge/audit/audit.jsonl").text.splitlines()]
    assert len(before) > 50
    assert list(differences(before, now[-len(before) :])) == []
