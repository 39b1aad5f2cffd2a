"""A form that is sent after its login has ended: it comes through the login, and the judge sends it."""

import json
import re
from collections.abc import Mapping
from html import unescape

import pytest
from litestar.handlers import HTTPRouteHandler

from station.accounts.permissions import AccountRole
from station.app.app import TEMPLATES
from station.web.forms import SECRET_FIELDS
from tests.station.browser import PASSWORD, Browser, first_group, shows
from tests.station.conftest import OPEN, Station
from tests.station.web.test_limited_bodies import app_of, forms_of

MESSAGE = "/judge/messages"


@pytest.fixture
def judge(station: Station) -> Browser:
    """Return a judge whose session has ended while a form was open."""
    browser = Browser(station)
    browser.log_in()
    browser.get("/judge/account")
    end(browser)
    return browser


def end(browser: Browser) -> None:
    browser.judges.sessions.end_all_of("Roy")


def kept(page: str) -> str:
    """Return the form that the login page keeps."""
    return unescape(first_group('name="kept" value="([^"]*)"', page))


def log_in(
    browser: Browser, page: str, name: str = "Roy", password: str = PASSWORD, expected: int = 200
) -> str:
    """Log in on the page itself, sending all its hidden fields."""
    return browser.send(
        "/login", {"name": name, "password": password, "kept": kept(page), "next": "/judge"}, expected
    )


def sent(page: str) -> dict[str, str]:
    """Return the hidden fields of a page."""
    fields = re.findall('<input type="hidden" name="([^"]*)" value="([^"]*)" data-typed>', page)
    return {unescape(name): unescape(value) for name, value in fields}


def players_of(station: Station) -> list[str]:
    return [one.name for one in station.service.tournament(OPEN).entrants][10:]


def test_what_was_typed_is_shown_after_login_and_sent_by_the_judge(station: Station, judge: Browser) -> None:
    station.opens()
    typed = {"name": "Zoë <b>O'Hara</b>", "club": "Rome"}
    page = judge.send(f"/judge/t/{OPEN}/players", typed, 401)
    assert "isn't lost" in page
    question = log_in(judge, page)
    assert players_of(station) == []
    assert "You're logged in as Roy, head judge." in question
    assert "Registered a player" in question
    assert "Zoë &lt;b&gt;O'Hara&lt;/b&gt;" in question
    assert f'action="/judge/t/{OPEN}/players"' in question
    assert sent(question) == typed
    judge.send(f"/judge/t/{OPEN}/players", sent(question))
    assert players_of(station) == [typed["name"]]


@pytest.mark.parametrize("cookie", ["", "session"])
def test_it_does_not_matter_how_the_login_ended(judge: Browser, cookie: str) -> None:
    """The station may have ended it, or the cookie may have expired."""
    log_in(judge, judge.send(MESSAGE, {"text": "first"}, 401))
    judge.get("/judge/account")
    if cookie:
        judge.forget(cookie)
    else:
        end(judge)
    assert sent(log_in(judge, judge.send(MESSAGE, {"text": "second"}, 401))) == {"text": "second"}


@pytest.mark.parametrize(
    "text",
    ['  Ada, Rome\r\n\r\nBruno\t"x" &amp; 100% + 1\r\n', "Łö\r\n" * 2_300],
    ids=["several lines", "the largest"],
)
def test_a_text_arrives_as_it_was_typed(judge: Browser, text: str) -> None:
    question = log_in(judge, judge.send("/judge/new/house-rules", {"house_rules": text}, 401))
    assert sent(question) == {"house_rules": text}
    assert "Sending this form only shows a preview." in question


def test_fields_keep_their_order_and_one_that_is_there_twice_stays_twice(judge: Browser) -> None:
    typed = {"z": "1", "part": ["one", "two"], "a": "2", "_csrf_token": judge._token}
    answer = judge.station.run(judge._client.post("/judge/take-in", data=typed))
    question = log_in(judge, judge._read(answer, 401))
    assert re.findall('name="(.*?)" value="(.*?)" data-typed', question) == [
        ("z", "1"), ("part", "one"), ("part", "two"), ("a", "2"),
    ]  # fmt: skip


def test_what_the_page_had_shown_goes_along_unseen(station: Station, judge: Browser) -> None:
    station.opens()
    question = log_in(judge, judge.send(f"/judge/t/{OPEN}/draw/publish", {"looked-at": "5ca1ab1e"}, 401))
    assert sent(question)["looked-at"] == "5ca1ab1e"
    assert "<dd>5ca1ab1e" not in question


def test_choices_are_shown_in_words(station: Station, judge: Browser) -> None:
    station.opens(10)
    path = f"/judge/t/{OPEN}/players/p001/warn"
    page = judge.send(path, {"offence": "slow-play", "reason": "x"}, 401)
    question = log_in(judge, page)
    name = station.service.tournament(OPEN).entrants[0].name
    for word in ("Warned a player", "Slow play", name, "Category"):
        assert word in question


def test_the_words_are_those_of_the_judge(station: Station, judge: Browser) -> None:
    station.opens(10)
    answer = judge.answer(f"/judge/t/{OPEN}/players/p001/warn", {"offence": "slow-play"}, "it")
    assert "non è perso" in answer.text
    fields = {"name": "Roy", "password": PASSWORD, "kept": kept(answer.text)}
    assert "Gioco lento" in judge.answer("/login", fields, "it").text


def test_a_wrong_password_and_too_many_of_them_lose_nothing(judge: Browser) -> None:
    page = judge.send(MESSAGE, {"text": "Come to the bar"}, 401)
    for _ in range(20):
        page = log_in(judge, page, password="wrong wrong", expected=401)
        assert "Wrong name or password." in page
    page = log_in(judge, page, expected=429)
    assert "Wait a minute" in page
    assert "Come to the bar" in kept(page)


@pytest.mark.parametrize(
    ("role", "said", "may_send"),
    [
        (AccountRole.HEAD_JUDGE, ("You're logged in as Zoe, head judge.", "Send as Zoe"), True),
        (AccountRole.DISPLAY, ("Your role can't send this form.",), False),
    ],
)
def test_somebody_else_who_logs_in_reads_it_and_sees_who_would_send_it(
    judge: Browser, role: AccountRole, said: tuple[str, ...], *, may_send: bool
) -> None:
    judge.judges.add("Zoe", PASSWORD, role)
    question = log_in(judge, judge.send(MESSAGE, {"text": "Come to the bar"}, 401), "Zoe")
    shows(question, "Come to the bar", *said)
    assert (f'action="{MESSAGE}"' in question) is may_send
    judge.log_in()
    assert "Come to the bar" not in judge.get(MESSAGE)


def test_passwords_and_pins_come_back_on_no_page_and_are_asked_again(judge: Browser) -> None:
    typed = {"name": "Zoe", "role": "floor-judge", "password": "secret-word"}
    page = judge.send("/judge/accounts", typed, 401)
    question = log_in(judge, page)
    assert "secret-word" not in page + question
    assert sent(question) == {"name": "Zoe", "role": "floor-judge"}
    assert "floor judge" in question
    assert re.search('<input type="password" name="password"[^>]* required>', question)
    page = judge.send("/judge/accounts", {**sent(question), "password": PASSWORD})
    assert "The account has been created." in page


def test_an_empty_password_stays_empty(judge: Browser) -> None:
    page = judge.send("/judge/account", {}, 405)
    end(judge)
    page = judge.send("/judge/terminals/cards/settings", {"wifi-name": "Hall", "wifi-password": ""}, 401)
    question = log_in(judge, page)
    assert sent(question) == {"wifi-name": "Hall", "wifi-password": ""}
    assert 'type="password"' not in question


def test_a_file_is_not_kept_and_asked_again(station: Station, judge: Browser) -> None:
    station.opens()
    path = f"/judge/t/{OPEN}/players/import"
    page = judge.send_file(path, "file", "players.csv", b"name\nSecret Sam\n", 401, sep=";")
    question = log_in(judge, page)
    assert "Secret Sam" not in page + question
    shows(question, 'enctype="multipart/form-data"', '<input type="file" name="file"')
    assert sent(question) == {"sep": ";"}


@pytest.mark.parametrize("size", [63 * 1024, 70 * 1024, 500 * 1024])
def test_what_is_too_large_is_not_kept_and_the_page_says_so(judge: Browser, size: int) -> None:
    page = judge.send("/judge/new/house-rules", {"house_rules": "x" * size}, 401)
    assert "Files and forms over 64 kB can't be kept" in page
    assert "x" * 100 not in page


def test_a_form_without_this_browsers_token_is_never_shown_again(judge: Browser) -> None:
    judge._token = "0" * 128
    shows(judge.send(MESSAGE, {"text": "Come to the bar"}, 401), never=("Come to the bar", 'name="kept"'))


def test_the_login_shows_nothing_that_comes_without_its_token(judge: Browser) -> None:
    text = kept(judge.send(MESSAGE, {"text": "Come to the bar"}, 401))
    judge._token = "0" * 128
    assert "Come to the bar" not in judge.send(
        "/login", {"name": "Roy", "password": PASSWORD, "kept": text}, 403
    )


@pytest.mark.parametrize(
    "change",
    [{"action": "https://elsewhere.example/"}, {"action": "javascript:alert(1)"}, {"route": "POST /nowhere"},
     {"fields": 3}],
)  # fmt: skip
def test_a_form_that_is_none_of_the_stations_is_ignored(judge: Browser, change: Mapping[str, object]) -> None:
    form = json.loads(kept(judge.send(MESSAGE, {"text": "Come to the bar"}, 401)))
    text = json.dumps({**form, **change})
    assert "New tournament" in judge.send("/login", {"name": "Roy", "password": PASSWORD, "kept": text})


def test_nothing_of_it_is_in_an_address_the_audit_or_a_header(judge: Browser) -> None:
    page = judge.send(MESSAGE, {"text": "Come to the bar", "to": "all"}, 401)
    question = judge.answer("/login", {"name": "Roy", "password": PASSWORD, "kept": kept(page)})
    assert question.history == []
    assert "bar" not in str(question.url) + str(question.headers)
    assert question.headers["cache-control"] == "no-store"
    assert "Come to the bar" not in judge.get("/judge/audit")


def test_the_header_offers_nothing_that_would_lose_the_form(judge: Browser) -> None:
    page = judge.send(MESSAGE, {"text": "Come to the bar"}, 401)
    assert 'href="/login"' not in page
    assert 'action="/language"' not in page + log_in(judge, page)


def test_a_refused_kept_form_says_why_on_the_page_where_it_was_typed(
    station: Station, judge: Browser
) -> None:
    station.opens()
    typed_on = f"/judge/t/{OPEN}/players?late=1"
    page = judge.answer(f"/judge/t/{OPEN}/waivers", {"rounds": "x"}, referer=f"http://station{typed_on}").text
    fields = {"name": "Roy", "password": PASSWORD, "kept": kept(page), "next": typed_on}
    question = judge.answer("/login", fields).text
    answer = judge.answer(f"/judge/t/{OPEN}/waivers", sent(question), referer="http://station/login")
    assert str(answer.url) == f"http://station{typed_on}"
    assert "x isn&#39;t a whole number." in answer.text


def test_a_kept_message_that_is_refused_says_why(judge: Browser) -> None:
    typed = {"text": "Come to the bar", "to": "tables", "tables": "x"}
    question = log_in(judge, judge.send(MESSAGE, typed, 401))
    answer = judge.answer(MESSAGE, sent(question), referer="http://station/login")
    assert answer.url.path.rstrip("/") == MESSAGE
    assert "data-refused" in answer.text


def test_every_form_of_the_judges_pages_is_kept(judge: Browser) -> None:
    """A new page cannot forget to keep its forms."""
    for path, handler in forms_of(app_of(judge)):
        if not path.startswith("/judge/"):
            continue
        assert isinstance(handler, HTTPRouteHandler)
        filled = re.sub(r"\{(\w+):(\w+)\}", lambda match: "1" if match[2] == "int" else "x", path)
        page = judge.send(filled, {"text": "Come to the bar"}, 401)
        assert sent(log_in(judge, page)) == {"text": "Come to the bar"}, path
        end(judge)


def test_every_field_that_hides_what_is_typed_is_a_secret() -> None:
    inputs = [
        tag
        for folder in TEMPLATES
        for path in folder.rglob("*.html")
        for tag in re.findall('<input[^>]*type="password"[^>]*>', path.read_text(encoding="utf-8"))
    ]
    names = {match[1] for tag in inputs if (match := re.search(' name="([a-z-]+)"', tag))}
    assert names == SECRET_FIELDS


def test_pages_of_players_ask_nobody_to_log_in(station: Station, visitor: Browser) -> None:
    station.opens()
    visitor.get("/login")
    assert 'name="kept"' not in visitor.send(f"/t/{OPEN}/register", {"name": "Zoe"})
    assert 'name="kept"' not in visitor.get("/login")
