"""The page of messages, and the buttons of remote control."""

import re

import pytest

from core.game.orders import (
    GlassLocked,
    IdentifyTerminal,
    LockGlass,
    MessageConfirmed,
    MessageShown,
    RestartTerminal,
    ShowMessage,
)
from core.terms import Seconds
from station.messages.page import LASTS_MIN
from tests.station.browser import Browser
from tests.station.conftest import OPEN, ScriptedTerminal, Station

Tables = list[ScriptedTerminal]
PAGE = "/judge/messages"
LUNCH = "Stop playing, lunch is at 13:00"


def deliveries(page: str) -> list[str]:
    """Return each table's delivery state of the newest message, as shown on the page."""
    listed = page.partition('<ul class="deliveries">')[2].partition("</ul>")[0]
    return [" ".join(re.sub(r"<[^>]+>", " ", one).split()) for one in listed.split("</li>") if one.strip()]


@pytest.fixture
def tables(station: Station) -> Tables:
    """Three tables with terminals; a tournament plays at the first two."""
    station.opens(10)
    made = [station.terminal(number) for number in (1, 2, 12)]
    station.publishes()
    return made


def test_a_message_is_sent_to_some_tables_and_the_page_shows_what_becomes_of_it(
    judge: Browser, tables: Tables
) -> None:
    judge.get(PAGE)
    page = judge.post(PAGE, text=f"  {LUNCH} ", to="tables", tables="1, 12", minutes="10")
    assert "The message is on its way." in page
    assert deliveries(page) == ["1 sent", "12 sent"]
    order = tables[0].ordered(ShowMessage)[0]
    assert (order.text, order.by, order.lasts_s) == (LUNCH, "Roy", Seconds(600))
    assert tables[1].ordered(ShowMessage) == []
    tables[0].reports(MessageShown(order.message))
    tables[2].reports(MessageShown(order.message), MessageConfirmed(order.message))
    page = judge.get(PAGE)
    assert [re.sub(r" \d\d:\d\d$", "", line) for line in deliveries(page)] == [
        "1 on the screen",
        "12 confirmed",
    ]
    assert "1 of 2 tables have confirmed" in page
    page = judge.post(f"{PAGE}/{order.message}/withdraw")
    assert deliveries(page)[0] == "1 withdrawn"
    assert "withdrawn by Roy" in page
    assert "Withdraw</button>" not in page


def test_a_message_to_a_tournament_or_to_all(judge: Browser, tables: Tables) -> None:
    page = judge.get(PAGE)
    assert "All tables of Open" in page
    judge.post(PAGE, text=LUNCH, to=f"tournament-{OPEN}", minutes="60")
    judge.post(PAGE, text="Good night", to="all", minutes="240")
    assert [len(table.ordered(ShowMessage)) for table in tables] == [2, 2, 1]


def test_a_table_without_a_terminal_is_named(station: Station, judge: Browser) -> None:
    station.opens(10)
    station.terminal(1)
    station.publishes()
    judge.get(PAGE)
    page = judge.post(PAGE, text=LUNCH, to="all", minutes="60")
    assert "Table 2 has no terminal: tell the players yourself." in page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"text": "", "to": "all"}, "Write a message first."),
        ({"text": "x" * 201, "to": "all"}, "The message has 201 characters. Shorten it to 200."),
        ({"text": LUNCH, "to": "tables", "tables": "1-x"}, "1-x isn't a list of tables"),
        ({"text": LUNCH, "to": "tables", "tables": "7, 8"}, "These tables don't exist: 7, 8."),
        ({"text": LUNCH, "to": "tables"}, "Choose who gets the message"),
        ({"text": LUNCH}, "Choose who gets the message"),
        ({"text": LUNCH, "to": "all", "minutes": "7"}, "7 isn't possible."),
    ],
)
def test_a_wrong_form_is_told(judge: Browser, tables: Tables, fields: dict[str, str], words: str) -> None:
    judge.get(PAGE)
    assert words in judge.send(PAGE, fields)
    assert all(table.ordered(ShowMessage) == [] for table in tables)


@pytest.mark.usefixtures("tables")
def test_what_is_gone_is_not_found(judge: Browser) -> None:
    judge.get(PAGE)
    judge.post(f"{PAGE}/0000/withdraw", 404)
    judge.post(PAGE, 404, text=LUNCH, to="tournament-no-such")
    judge.post("/judge/terminals/0000/lock", 404)


@pytest.mark.usefixtures("tables")
def test_the_form_offers_all_times_and_its_table(judge: Browser) -> None:
    page = judge.get(f"{PAGE}?tables=12")
    assert 'name="tables" value="12"' in page
    assert re.findall(r'<option value="(\d+)"', page) == [str(minutes) for minutes in LASTS_MIN]
    assert 'maxlength="200"' in page
    assert "«" not in page
    assert "Messaggi ai tavoli" in judge.get(PAGE, "it")


def test_a_tables_page_handles_its_terminal_remotely(judge: Browser, tables: Tables) -> None:
    at = f"/judge/t/{OPEN}/tables/1/1"
    page = judge.get(at)
    assert 'href="/judge/messages?tables=1"' in page
    assert "Nothing is lost: a running game continues in a few seconds." in page
    one = f"/judge/terminals/{tables[0].id}"
    assert "The screen is being locked." in judge.post(f"{one}/lock")
    assert "to be locked by Roy" in judge.get(at)
    tables[0].reports(GlassLocked())
    for text in (judge.get(at), judge.get("/judge/terminals")):
        assert "locked by Roy" in text
        assert "to be locked" not in text
    judge.post(f"{one}/unlock")
    judge.post(f"{one}/restart")
    judge.post(f"{one}/identify")
    assert tables[0].orders[-4:] == [
        LockGlass(True, "Roy"),
        LockGlass(False, "Roy"),
        RestartTerminal(),
        IdentifyTerminal(tables[0].id[:8]),
    ]


def test_the_terminals_page_reaches_all(station: Station, judge: Browser, tables: Tables) -> None:
    judge.get("/judge/terminals")
    assert "None of these terminals is connected now." in judge.post("/judge/terminals/identify-spares")
    spare = station.terminal(None)
    judge.post("/judge/terminals/identify-spares")
    assert len(spare.ordered(IdentifyTerminal)) == 1
    judge.post("/judge/terminals/lock-all")
    assert [table.ordered(LockGlass) for table in (*tables, spare)] == [[LockGlass(True, "Roy")]] * 3 + [[]]
    assert "every terminal is already in that state" in judge.post("/judge/terminals/lock-all")
    judge.post("/judge/terminals/unlock-all")
    assert [len(table.ordered(LockGlass)) for table in tables] == [2, 2, 2]


def test_strangers_are_refused_and_no_terminal_gets_an_order(visitor: Browser, tables: Tables) -> None:
    visitor.get("/login")
    assert visitor.status(PAGE).headers["location"].startswith("/login")
    visitor.post(PAGE, 401, text=LUNCH, to="all")
    visitor.post("/judge/terminals/lock-all", 401)
    visitor.post(f"/judge/terminals/{tables[0].id}/restart", 401)
    assert all(not table.ordered(ShowMessage | LockGlass | RestartTerminal) for table in tables)  # type: ignore[arg-type]
