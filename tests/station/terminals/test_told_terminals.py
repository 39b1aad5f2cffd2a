"""Nothing sent to terminals reveals a secret of other players; untrusted terminals get no secret at all.

tests/station/app/test_exits.py checks the same for HTTP.
"""

import asyncio
import io
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import msgspec
import pytest
from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from core.game.orders import AssignTable, SeatGame, TakeGame
from core.terms import TableNo
from core.tournament.decisions import UndoSteps
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from station.accounts.permissions import AccountRole
from station.app.app import build_pages
from station.projections.cards import SheetState
from station.store.settings import BACKUP_RECIPIENT, PIN_SECRET, SIGN_IN_SECRET, Settings
from station.store.settings import KEY as STATION_KEY
from station.terminals.admission import TerminalAdmission
from station.terminals.service import Terminals
from sync.enrolment.agreement import AskJudge, code_typed
from sync.enrolment.provisioning import provisioning_of
from sync.tls.certificates import fingerprint_of_pem, generate_certificate
from tests.station.browser import PASSWORD, Browser, logged_in_as
from tests.station.conftest import JUDGE, OPEN, ScriptedTerminal, Station, present, seed
from tests.station.terminals.test_admission import tried

HERE: Final = "/judge/terminals"
ROLES: Final = ("Sheriff", "Outlaw", "Deputy", "Renegade")
LATE: Final = ("published", "in play", "ended")
"""The moments at which table 1 plays."""
KEY, LAPTOP = generate_certificate("laptop")
NAME = fingerprint_of_pem(LAPTOP, "laptop")
PASSPHRASE: Final = "a long enough passphrase"
LONG: Final = re.compile(r"[0-9A-Za-z+/=_-]{24,}")
"""A text that could be a hash or a key."""


def course(station: Station) -> Iterator[str]:
    """Play a tournament, and name each moment at which an organiser might act."""
    station.opens(10)
    honest = station.terminal(1)
    yield "opened"
    station.does(SealDraw(seed=seed("one")))
    station.does(MakeDraw(hall_word="tumbleweed"))
    yield "drawn"
    station.does(PublishDraw())
    station.settle()
    yield "published"
    if honest.ordered(SeatGame):
        honest.starts()
    yield "in play"
    if honest.ordered(SeatGame):
        honest.ends()
        honest.sends()
    yield "ended"
    if honest.ordered(SeatGame):
        honest.confirms()
        yield "accepted"
        station.does(UndoSteps(1, "looked at again"))
        station.settle()
        yield "taken back"


def plays(station: Station) -> None:
    """Play until table 1 is in its game."""
    moments = course(station)
    while next(moments) != "in play":
        pass


def by_file(station: Station, browser: Browser, table: str) -> None:
    browser.get(f"{HERE}/")
    made = browser.answer(f"{HERE}/enrol", {"table": table})
    if made.headers["content-type"] == "application/toml":
        station.directory.enrol(provisioning_of(made.text, "file").terminal.token, LAPTOP)


def by_card(station: Station, browser: Browser, table: str) -> None:
    browser.get(f"{HERE}/cards")
    made = browser.answer(f"{HERE}/cards/files", {"tables": table, "spares": "0" if table else "1"})
    with zipfile.ZipFile(io.BytesIO(made.content)) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".toml"))
        token = provisioning_of(archive.read(name).decode(), name).terminal.token
    station.directory.enrol(token, LAPTOP)


def by_cable(station: Station, browser: Browser, table: str) -> None:
    async def asks() -> None:
        station.context.spawn(station.directory.ask_judge(AskJudge(LAPTOP, "123456"), "/dev/ttyUSB0"))
        await asyncio.sleep(0)

    station.run(asks())
    browser.get(f"{HERE}/")
    browser.post(f"{HERE}/take-in", check_code="123456", table=table)
    admission = station.service.of(TerminalAdmission)
    if admission.waiting():
        station.run(admission.refuse("123456", JUDGE))


def by_code(station: Station, browser: Browser, table: str) -> None:
    browser.get(f"{HERE}/")
    browser.post(f"{HERE}/code", table=table)
    code = station.run(station.service.of(TerminalAdmission).code_shown(is_floor=False))
    if code is not None and code.code:
        station.run(station.directory.try_code(tried(code_typed(code.code), LAPTOP), "x"))


def as_spare(station: Station, browser: Browser, table: str) -> None:
    by_file(station, browser, "")
    station.settle()
    browser.get(f"{HERE}/")
    browser.post(f"{HERE}/{NAME}/assign", table=table)


Way = Callable[[Station, Browser, str], None]


def alarms(station: Station) -> list[str]:
    """Return the parts of the laptop's orders that no player may see."""
    texts = []
    for order in station.orders(NAME):
        text = msgspec.json.encode(order).decode()
        stakes = isinstance(order, SeatGame) and any(seat.stake is not None for seat in order.seating.seats)
        secret = isinstance(order, TakeGame) or stakes or "argon2" in text
        if secret or any(f'"{role}"' in text for role in ROLES):
            texts.append(text[:200])
    return texts


def opens(hashed: str, secret: str) -> bool:
    try:
        return PasswordHasher().verify(hashed, secret)
    except VerifyMismatchError:
        return False


@pytest.mark.slow
@pytest.mark.by_day(2)
@pytest.mark.parametrize("way", [by_file, by_card, by_cable, as_spare, by_code])
def test_what_an_organiser_lets_in_is_told_nothing_secret_whenever_that_is(way: Way, tmp_path: Path) -> None:
    tried_at, used = [], range(7) if way in {by_file, as_spare} else (0, 2, 3)
    for number in used:
        folder = tmp_path / str(number)
        folder.mkdir()
        station = Station(folder)
        browser = logged_in_as(station, AccountRole.ORGANISER)
        for at, moment in enumerate(course(station)):
            if at == number:
                tried_at.append(moment)
                way(station, browser, "1")
                station.settle()
                is_there = any(one.terminal == NAME and one.table == 1 for one in station.service.terminals())
                assert not (is_there and moment in (*LATE, "taken back")), moment
            if any(one.terminal == NAME for one in station.service.terminals()):
                station.connects(NAME)
            assert alarms(station) == [], moment
        station.close()
    assert len(tried_at) == len(used)


def test_an_organisers_laptop_at_a_table_before_its_draw_accepts_no_sheet_by_itself(
    station: Station,
) -> None:
    """The laptop plays the whole game, and confirms it by a PIN that it never knew."""
    organiser, moments = logged_in_as(station, AccountRole.ORGANISER), course(station)
    next(moments)
    by_file(station, organiser, "1")
    station.settle()
    station.connects(NAME)
    for moment in moments:
        if moment == "published":
            break
    laptop = ScriptedTerminal(station, NAME, KEY)
    laptop.plays()
    assert [order.judge_pin for order in laptop.ordered(AssignTable)] == [""]
    (table, *_) = station.service.floor(OPEN)
    assert table.sheet is SheetState.PROPOSED
    judge = logged_in_as(station, AccountRole.FLOOR_JUDGE)
    page = judge.get(f"/judge/t/{OPEN}/tables/1/1")
    assert "organiser, an organiser, enrolled this terminal" in page
    text = judge.get(f"{HERE}/")
    (doubted,) = re.findall(r'name="terminals" value="([^"]*)"', text)
    assert doubted == NAME
    judge.send(f"{HERE}/trust", {"terminals": doubted})
    station.settle()
    assert station.service.floor(OPEN)[0].sheet is SheetState.ACCEPTED
    assert laptop.ordered(AssignTable)[-1].judge_pin.startswith("$argon2")


def test_a_judge_who_puts_a_terminal_at_a_table_in_play_is_named_by_an_alarm(station: Station) -> None:
    organiser = logged_in_as(station, AccountRole.ORGANISER)
    plays(station)
    by_file(station, organiser, "")
    station.settle()
    station.connects(NAME)
    assert station.alarm(NAME) == ""
    floor = logged_in_as(station, AccountRole.FLOOR_JUDGE)
    assert "enrolled by organiser" in floor.get(f"/judge/t/{OPEN}/tables/1/1/swap")
    floor.send(f"/judge/t/{OPEN}/tables/1/1/swap", {"terminal": NAME})
    station.settle()
    assert station.alarm(NAME) == "assigned to table 1 by floor-judge during its game"
    assert ScriptedTerminal(station, NAME).ordered(TakeGame)


def test_an_organiser_does_not_take_a_table_its_terminal(station: Station) -> None:
    organiser = logged_in_as(station, AccountRole.ORGANISER)
    plays(station)
    honest = next(one.terminal for one in station.service.terminals() if one.table == 1)
    for table in ("", "9"):
        organiser.get(f"{HERE}/")
        page = organiser.post(f"{HERE}/{honest}/assign", table=table)
        assert "Table 1 is playing" in page
        assert station.context.terminals_by_table[TableNo(1)] == honest
    organiser.get(f"{HERE}/{honest}/revoke")
    assert "Table 1 is playing" in organiser.post(f"{HERE}/{honest}/revoke")
    assert station.context.terminals_by_table[TableNo(1)] == honest
    made = organiser.answer(f"{HERE}/enrol", {"table": ""})
    (known,) = (one for one in station.context.terminals if one.terminal == honest)
    station.directory.enrol(provisioning_of(made.text, "file").terminal.token, known.certificate)
    station.settle()
    assert known in station.context.terminals, "also not by its certificate, which others can read"
    head = logged_in_as(station, AccountRole.HEAD_JUDGE)
    head.get(f"{HERE}/{honest}/revoke")
    head.send(f"{HERE}/{honest}/revoke", {})
    assert TableNo(1) not in station.context.terminals_by_table


@pytest.mark.parametrize("route", [f"{HERE}/", f"{HERE}/doors"])
def test_an_organiser_does_not_read_the_code_that_a_judge_shows(station: Station, route: str) -> None:
    """The first terminal that uses the code is trusted at the table that plays."""
    organiser, head = (
        logged_in_as(station, role) for role in (AccountRole.ORGANISER, AccountRole.HEAD_JUDGE)
    )
    plays(station)
    head.get(f"{HERE}/")
    head.post(f"{HERE}/code", table="1")
    code = present(station.run(station.service.of(TerminalAdmission).code_shown(is_floor=True)))
    assert code.code
    assert code.code in head.get(route)
    assert code.code not in organiser.get(route)
    assert "Only judges can see this code." in organiser.get(route)
    organiser.post(f"{HERE}/code", table="")
    own = present(station.run(station.service.of(TerminalAdmission).code_shown(is_floor=False)))
    assert own.code
    assert own.code in organiser.get(route)


@pytest.mark.slow
def test_only_these_routes_let_a_terminal_in_or_put_it_at_a_table() -> None:
    """Each is tried above; any other such route needs the floor's permission."""
    pages = build_pages("0" * 64).state.pages
    for name in ("code", "enrol", "take-in", "{terminal}/assign", "cards/files"):
        assert pages[f"POST {HERE}/{name}"].needs.name == "ENROLMENT"
    for path in (f"{HERE}/trust", "/judge/devices"):
        assert pages[f"POST {path}"].needs.name == "FLOOR"


def test_no_terminal_is_told_a_hash_of_anything_that_is_used_elsewhere(station: Station) -> None:
    """A thief may open any terminal: at a table, swapped out or in, a spare, or enrolled by an organiser."""
    organiser = logged_in_as(station, AccountRole.ORGANISER)
    floor = logged_in_as(station, AccountRole.FLOOR_JUDGE)
    station.service.sealed_backups.set_passphrase(PASSPHRASE)
    moments = course(station)
    next(moments)
    here = [
        station.terminal(2).id,
        station.terminal(None, "swapped in").id,
        station.terminal(None, "spare").id,
    ]
    by_file(station, organiser, "3")
    for moment in moments:
        if moment == "in play":
            floor.get(f"/judge/t/{OPEN}/tables/1/2/swap")
            floor.send(f"/judge/t/{OPEN}/tables/1/2/swap", {"terminal": here[1]})
            station.run(station.service.of(Terminals).renew_pins(JUDGE))
        station.settle()
    known = [one.terminal for one in station.service.terminals()]
    sent = {one: msgspec.json.encode(station.orders(one)).decode() for one in known}
    hashes = {one: {*re.findall(r"\$argon2[^\"]*", text)} for one, text in sent.items()}
    assert {one: len(values) for one, values in hashes.items()} == {
        next(one for one in known if one not in here and one != NAME): 2,
        here[0]: 1, here[1]: 2, here[2]: 0, NAME: 0,
    }  # fmt: skip
    tried = {station.service.pin(one): one for one in known}
    assert len(tried) == len(known)
    for terminal, values in hashes.items():
        assert not any(values & others for one, others in hashes.items() if one != terminal)
        for hashed in values:
            opened = [secret for secret in (*tried, PASSWORD, PASSPHRASE) if opens(hashed, secret)]
            assert opened in ([station.service.pin(terminal)], []), "none: it is a hash of former PINs"
    facts = Settings(station.database)
    secrets = [facts.get(name) for name in (PIN_SECRET, SIGN_IN_SECRET, STATION_KEY, BACKUP_RECIPIENT)]
    for text in sent.values():
        assert not any(secret in text for secret in (*tried, *filter(None, secrets), PASSWORD, PASSPHRASE))
        assert {*LONG.findall(re.sub(r"\$argon2[^\"]*", "", text))} - {*known} == set()
    floor.close()
