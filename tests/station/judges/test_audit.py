"""The audit: lines added, filtered, never changed, and shown to head judges."""

import asyncio
import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec
import pytest

from core.tournament.state.tournament import Waivers
from station.accounts.permissions import AccountRole
from station.audit import COMMANDS, LONGEST_FACT, Audit, AuditFilter, AuditLine, AuditLog, Unrecorded
from station.cli.main import commands
from station.store.database import Database, sqlite_url
from tests.station.browser import PASSWORD, Browser, first_group, shows, words
from tests.station.conftest import OPEN, Station

AUDIT = "/judge/audit"


def lines(judge: Browser) -> list[AuditLine]:
    """Return the lines, oldest first."""
    return list(judge.station.service.audit.lines(AuditFilter()))[::-1]


def test_every_form_is_recorded_without_its_secrets_or_says_why_not(judge: Browser) -> None:
    secrets = {"password", "again", "pin", "key", "code", "seed", "wifi-password", "passphrase"}
    for route, page in judge.app.state.pages.items():
        if isinstance(page.audit, Audit):
            assert page.audit.action
            assert page.audit.kind
            assert secrets.isdisjoint(page.audit.keeps.split()), route
        else:
            is_form = route.startswith("POST ")
            assert isinstance(page.audit, Unrecorded) == is_form, route
            assert not is_form or page.audit.reason


def test_every_command_that_changes_the_station_is_recorded() -> None:
    reading = {"judge list", "backup", "export", "report", "doctor", "completion"}
    running = {"serve", "rehearse", "cards", "update", "computer"}
    known = {command.removeprefix("saloon-station ") for command in COMMANDS}
    context = click.Context(commands)
    named = set(commands.list_commands(context))
    each = {name: commands.get_command(context, name) for name in named}
    groups = {name: one for name, one in each.items() if isinstance(one, click.Group)}
    named |= {f"{name} {sub}" for name, group in groups.items() for sub in group.commands}
    left = {name for name in named - set(groups) if name.partition(" ")[0] not in reading | running}
    assert left - reading == known


def test_what_was_done_at_the_command_line_is_told_in_words(judge: Browser) -> None:
    log = judge.station.service.audit
    log.add_command("saloon-station judge add", judge.station.clock.wall_ms(), name="Zoe", role="organiser")
    page = judge.get(f"{AUDIT}?kind=accounts")
    text = page.partition('<ol class="audit">')[2].partition("</li>")[0]
    shows(text, "command line", "Added an account", "Zoe", "Role: </small>organiser")
    assert "riga di comando" in judge.get(AUDIT, "it")


def test_logins_right_and_wrong_are_recorded_with_their_address(judge: Browser) -> None:
    judge.post("/login", name="Roy", password="not this one")
    judge.log_in()
    records = [(one.judge, one.route, one.refused, one.address) for one in lines(judge)]
    assert records[-2:] == [
        ("Roy", "POST /login", True, "127.0.0.1"),
        ("Roy", "POST /login", False, "127.0.0.1"),
    ]
    shows(judge.get(AUDIT), "Logged in", "refused", never="not this one")
    assert PASSWORD not in json.dumps([one.facts for one in lines(judge)])


def test_a_changed_role_shows_the_role_before(station: Station, judge: Browser) -> None:
    judge.judges.add("Ada", PASSWORD, AccountRole.FLOOR_JUDGE)
    judge.post("/judge/accounts/role", name="Ada", role="organiser")
    last = lines(judge)[-1]
    assert (last.facts["name"], last.before, last.facts["role"]) == ("Ada", "floor-judge", "organiser")
    page = judge.get(AUDIT)
    assert "Changed an account's role" in page
    text = page.partition('<ol class="audit">')[2].partition("</li>")[0]
    shows(text, "Before: </small>floor judge", "Role: </small>organiser")


def test_paper_and_terminal_are_told_apart_and_link_to_the_table(station: Station, judge: Browser) -> None:
    station.opens(10, Waivers(rounds=1))
    drawn = station.publishes()
    station.accepts(drawn, 2)
    sheet = f"/judge/t/{OPEN}/tables/1/1/sheet"
    judge.get(sheet)
    roles = {"role-2": "outlaw", "role-3": "deputy", "role-4": "outlaw", "role-5": "renegade"}
    judge.send(f"{sheet}/confirm", {**roles, "out-1": "1", "by-1": "2"})
    page = judge.get(AUDIT)
    shows(page, "Entered or corrected a record sheet by hand", f'href="/judge/t/{OPEN}/tables/1/1"')
    judge.post(f"/judge/t/{OPEN}/tables/1/1/confirm")
    assert lines(judge)[-1].refused
    assert "Confirmed the record sheet of a terminal" in judge.get(AUDIT)


def test_what_is_handed_out_is_recorded(station: Station, judge: Browser) -> None:
    station.opens(10)
    judge.status("/judge/backup")
    judge.status(f"/judge/t/{OPEN}/export")
    assert [one.route for one in lines(judge)][-2:] == [
        "GET /judge/backup",
        "GET /judge/t/{tournament}/export",
    ]


def test_a_filter_leaves_its_lines_and_both_files_have_the_same(station: Station, judge: Browser) -> None:
    station.opens(10)
    players = f"/judge/t/{OPEN}/players"
    judge.post(players, name="=HYPERLINK(1)", club="")
    query = f"?kind=players&tournament={OPEN}&text=hyperlink&from=2000-01-01&to=2100-01-01&judge=Roy"
    page = judge.get(AUDIT + query)
    assert page.count("<li>") + page.count('<li class="refused">') >= 1
    assert "Registered a player" in page
    assert "Logged in" not in page.partition('<ol class="audit">')[2]
    rows = list(csv.reader(io.StringIO(judge.status(f"{AUDIT}/audit.csv{query}").text)))
    assert rows[0][:3] == ["time", "person", "role"]
    assert rows[1][1] == "Roy"
    assert "=HYPERLINK(1)" in rows[1][6]
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)
    stored = [json.loads(one) for one in judge.status(f"{AUDIT}/audit.jsonl{query}").text.splitlines()]
    assert [one["facts"]["name"] for one in stored] == ["=HYPERLINK(1)"]
    assert "Nothing matches." in judge.get(f"{AUDIT}?judge=nobody")
    judge.get(f"{AUDIT}?from=yesterday&page=-3&kind=x")


def test_a_player_s_name_finds_the_lines_that_only_keep_a_number(station: Station, judge: Browser) -> None:
    station.opens(10)
    name = station.service.tournament(OPEN).entrants[2].name
    judge.post(f"/judge/t/{OPEN}/check-in/p003", state="here")
    judge.status(f"/judge/t/{OPEN}/print/badges/file")
    page = judge.get(f"{AUDIT}?text={name.lower()}")
    assert page.count("Changed whether a player is here") == 1
    assert "Nothing matches." in judge.get(f"{AUDIT}?text={name}&tournament=another")
    # A printout is named in the judge's language.
    printed = judge.get(AUDIT, "it").partition('<ol class="audit">')[2]
    assert "Badge" in printed
    assert "badges" not in printed


def test_a_name_in_other_letters_is_the_same_person(judge: Browser) -> None:
    judge.post("/login", name="  rOY", password=PASSWORD)
    assert judge.station.service.audit.people() == ("Roy",)


def test_many_lines_have_pages(judge: Browser) -> None:
    for number in range(230):
        judge.station.service.audit.add(
            AuditLine(number, "Roy", "", "", "POST /logout", {"number": str(number)})
        )
    first, third = judge.get(AUDIT), judge.get(f"{AUDIT}?page=3")
    shows(first, "Older", never="Newer")
    shows(third, "Newer", never="Older")


@pytest.fixture(params=["sqlite", "postgresql"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[AuditLog]:
    is_shared = request.param == "postgresql"
    url = request.getfixturevalue("postgresql_url") if is_shared else sqlite_url(tmp_path / "station.sqlite")
    database = Database(url)
    yield AuditLog(database)
    database.close()


def line(number: int, **changes: object) -> AuditLine:
    made = AuditLine(number * 1_000, "Roy", "head-judge", "10.0.0.7", "POST /login", {"name": "Roy"})
    return msgspec.structs.replace(made, **changes)


@pytest.mark.slow
def test_lines_come_back_as_they_were_added_the_newest_first(log: AuditLog) -> None:
    facts = {"tournament": "open", "reason": "Ünïcode 100%"}
    added = [line(1), line(2, before="head-judge", refused=True, facts=facts)]
    for one in added:
        log.add(one)
    second, first = log.page(AuditFilter(), 0, 10)
    assert [msgspec.structs.replace(one, number=0) for one in (first, second)] == added
    assert second.number > first.number


@pytest.mark.slow
def test_each_field_of_a_filter_leaves_its_lines(log: AuditLog) -> None:
    log.add(line(1, judge="Ada"))
    log.add(line(2, route="POST /logout"))
    log.add(line(3, facts={"tournament": "open", "reason": "100% sure"}))
    for wanted, expected in (
        (AuditFilter(judge="Ada"), [1_000]),
        (AuditFilter(routes=("POST /logout",)), [2_000]),
        (AuditFilter(routes=()), []),
        (AuditFilter(tournament="open"), [3_000]),
        (AuditFilter(text="0% SURE"), [3_000]),
        (AuditFilter(text="_"), []),
        (AuditFilter(from_ms=2_000), [3_000, 2_000]),
        (AuditFilter(to_ms=2_000), [1_000]),
    ):
        assert [one.wall_ms for one in log.page(wanted, 0, 10)] == expected, wanted
        assert [one.wall_ms for one in log.lines(wanted)] == expected, wanted
    assert log.people() == ("Ada", "Roy")
    assert [one.wall_ms for one in log.page(AuditFilter(), 1, 1)] == [2_000]


@pytest.mark.slow
def test_all_lines_are_read_however_many(log: AuditLog) -> None:
    """They are read 500 at a time."""
    for number in range(503):
        log.add(line(number))
    assert [one.wall_ms for one in log.lines(AuditFilter())] == [n * 1_000 for n in reversed(range(503))]


def test_a_long_fact_is_cut(log: AuditLog) -> None:
    log.add(line(1, facts={"text": "x" * 10_000}))
    assert log.page(AuditFilter(), 0, 1)[0].facts == {"text": "x" * LONGEST_FACT}


def last_action(judge: Browser, language: str = "en") -> str:
    """Return the words of the newest line on the page."""
    return words(judge.get(AUDIT, language).partition('<ol class="audit">')[2].partition("</li>")[0])


def test_a_decision_shows_what_its_history_says_with_before_and_after(
    station: Station, judge: Browser
) -> None:
    station.opens(10)
    base = f"/judge/t/{OPEN}"
    judge.post(f"{base}/players/p003/rename", name="Ada Rossi", club="")
    assert "Renamed a player" in last_action(judge)
    assert "Player 3 is now called Ada Rossi" in last_action(judge)
    judge.send(f"{base}/waivers", {"rounds": "2", "time_limit_min": "45", "reason": "late"})
    shows(last_action(judge), "rounds: – → 2, time limit in minutes: – → 45 (reason: late)")
    judge.post(f"{base}/players/p003/remove")
    shows(last_action(judge), "Removed a player", "Ada Rossi removed")
    shows(last_action(judge, "it"), "Ada Rossi")
    judge.post(f"{base}/players/p003/rename", name="Nobody", club="")
    shows(last_action(judge), "refused", never="is now called")


def test_of_two_judges_who_act_at_the_same_moment_each_has_their_own_step(
    station: Station, judge: Browser
) -> None:
    station.opens(10)
    ada = Browser(station)
    ada.judges.add("Ada", PASSWORD)
    ada.log_in("Ada")
    names = [(judge, "p001", "Uno"), (ada, "p002", "Due")]

    async def send() -> None:
        sending = (
            one.sending(f"/judge/t/{OPEN}/players/{player}/rename", {"name": name, "club": ""})
            for one, player, name in names
        )
        await asyncio.gather(*sending)

    station.run(send())
    numbers = {one.judge: one.facts["history"] for one in lines(judge)[-2:]}
    by = {step.events[0].by: str(n) for n, step in enumerate(station.service.history(OPEN))}
    assert numbers == {name: by[name] for name in ("Roy", "Ada")}


def test_settings_show_only_what_changed_from_what(station: Station, judge: Browser) -> None:
    station.opens(10)
    base = f"/judge/t/{OPEN}"
    judge.send(f"{base}/check-in/settings", {"registration": "yes", "capacity": "20"})
    judge.send(f"{base}/check-in/settings", {"registration": "yes", "capacity": "24"})
    shows(last_action(judge), "Places: 20 → 24", never="Apply to play")
    judge.post(f"{base}/check-in/p001", state="here")
    shows(last_action(judge), "Player 1", "not here yet → here")
    judge.send(f"{base}/check-in/door", {"typed": "Player 2"})
    shows(last_action(judge), "Player 2", "not here yet → here")
    judge.post(f"{base}/check-in/all")
    shows(last_action(judge), "here: 2 → 10")
    judge.send(f"{base}/document", {"link": "https://example.org/rules.pdf"})
    shows(last_action(judge), "– → https://example.org/rules.pdf")


def test_private_facts_show_that_they_changed_but_never_what_they_say(
    station: Station, judge: Browser
) -> None:
    station.opens(10)
    base = f"/judge/t/{OPEN}/check-in"
    judge.send(f"{base}/private-fields", {"paid": "yes", "note": "yes"})
    shows(last_action(judge), "– → note, paid")
    judge.send(f"{base}/facts/p001", {"paid": "yes", "note": "allergic to nuts"})
    shows(last_action(judge), "Player 1", "Entry fee paid: – → ✓", "Note: – → …")
    assert "nuts" not in json.dumps([msgspec.to_builtins(one) for one in lines(judge)])


def test_screens_and_accounts_are_named_not_numbered(station: Station, judge: Browser) -> None:
    station.opens(10)
    base = f"/judge/t/{OPEN}/projectors"
    judge.post(base, name="Entrance")
    key = first_group(r'id="(\w+)"><div class="row"><h2>Entrance', judge.get(base))
    judge.post(f"{base}/{key}/pin", page="clock")
    shows(last_action(judge), "Entrance", "Page shown now: – → clock", never=key)
    judge.post(f"{base}/{key}/remove")
    shows(last_action(judge), "Removed a screen", "Name: Entrance")
    judge.judges.add("Ada", PASSWORD, AccountRole.FLOOR_JUDGE)
    judge.post("/judge/accounts/remove", name="Ada")
    shows(last_action(judge), "Deleted an account", "Ada", "floor judge")
    judge.post("/judge/accounts/invitations", name="Zoe", role="organiser")
    judge.get("/judge/accounts")
    judge.post("/judge/accounts/invitations/withdraw", number="1")
    shows(last_action(judge), "Withdrew an invitation", "Zoe", "organiser")
