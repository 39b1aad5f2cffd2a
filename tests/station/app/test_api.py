"""The interface for programs: read-only, without a secret, and as its description says."""

import asyncio
import json
import re
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.core.result import Ok

from core.terms import PlayerId, TableNo
from core.tournament.penalties import WarnPlayer
from core.tournament.state.tournament import Waivers
from station.accounts.api_tokens import ApiTokens
from station.exports import DataTable, exported
from station.web import live
from tests.examples import examples
from tests.station.browser import Browser, first_group
from tests.station.conftest import OPEN, Station

API = f"/api/v1/tournaments/{OPEN}"


def rows(visitor: Browser, path: str) -> list[dict[str, object]]:
    answer = visitor.status(path)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "*"
    return list(json.loads(answer.content))


def test_programs_read_what_is_public(station: Station, visitor: Browser) -> None:
    station.opens(10)
    (listed,) = rows(visitor, "/api/v1/tournaments")
    assert (listed["id"], listed["stage"], listed["players"]) == (OPEN, "registration", 10)
    assert [one["name"] for one in rows(visitor, f"{API}/players")][:2] == ["Player 1", "Player 2"]
    assert rows(visitor, f"{API}/rounds") == []
    terminal = station.terminal(1)
    round_ = station.publishes()
    terminal.plays()
    (drawn,) = rows(visitor, f"{API}/rounds")
    assert drawn["seed"] == round_.seed
    live = rows(visitor, f"{API}/tables")
    assert [one["table"] for one in live] == [1, 2]
    assert live[0]["is_over"] is True


def test_no_role_and_no_dollar_before_the_ranking_is_public(station: Station, visitor: Browser) -> None:
    terminal = station.round_with_terminal(10, Waivers(rounds=1))
    terminal.plays()
    for path in ("", "/players", "/rounds", "/tables"):
        text = visitor.status(f"{API}{path}").text.lower()
        assert not [secret for secret in ("outlaw", "renegade", "deputy", "winnings", "$") if secret in text]
    for path in ("/results", "/ranking"):
        answer = visitor.status(f"{API}{path}")
        assert answer.status_code == 404
        assert answer.json() == {
            "status_code": 404,
            "detail": "This page won't be public until the ranking is published.",
        }


def test_results_and_ranking_come_with_the_publication(station: Station, visitor: Browser) -> None:
    station.opens(10, Waivers(rounds=1))
    station.plays_round()
    station.publishes_ranking()
    first = rows(visitor, f"{API}/ranking")[0]["cells"]
    assert isinstance(first, dict)
    assert first["rank"] == 1
    assert first["player"] == station.service.standings(OPEN).rows[0].player
    assert len(rows(visitor, f"{API}/results")) == 10


def token(judge: Browser, role: str) -> dict[str, str]:
    """Return the header with a token that a head judge has made on the page."""
    made = judge.post("/judge/accounts/tokens", name=f"Program of {role}", role=role)
    bearer = first_group(r"Authorization: Bearer (\w{64})", made)
    return {"authorization": f"Bearer {bearer}"}


def test_a_head_judges_token_reads_results_before_they_are_public(
    station: Station, judge: Browser, visitor: Browser
) -> None:
    station.opens(10, Waivers(rounds=1))
    station.plays_round()
    station.does(WarnPlayer(PlayerId("p001"), "Late again"))
    head, display = token(judge, "head-judge"), token(judge, "display")
    assert len(visitor.status(f"{API}/results", **head).json()) == 10
    assert len(visitor.status(f"{API}/ranking", **head).json()) == 10
    assert visitor.status(f"{API}/results", **display).status_code == 403
    assert visitor.status(f"{API}/results").status_code == 404
    assert judge.status(f"{API}/results").status_code == 404, "a cookie opens nothing to other pages"
    organiser = token(judge, "organiser")
    (warned,) = visitor.status(f"{API}/penalties", **organiser).json()
    assert warned["cells"]["reason"] == "Late again"
    assert visitor.status(f"{API}/penalties", **display).status_code == 403
    assert visitor.status(f"{API}/penalties").status_code == 401


def test_a_removed_token_is_refused_even_where_nobody_needs_one(
    station: Station, judge: Browser, visitor: Browser
) -> None:
    station.opens(10)
    head = token(judge, "head-judge")
    assert visitor.status(f"{API}/players", **head).status_code == 200
    page = judge.get("/judge/accounts")
    assert "Program of head-judge" in page
    number = re.findall(r'tokens/remove"[^>]*>.*?name="number" value="(\d+)"', page)[0]
    judge.post("/judge/accounts/tokens/remove", number=number)
    answer = visitor.status(f"{API}/results", **head)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert visitor.status(f"{API}/results", authorization="Basic Um95").status_code == 401


def test_a_page_of_another_origin_may_send_a_token(station: Station, visitor: Browser) -> None:
    station.opens(10)
    headers = {"Origin": "http://club.example", "Access-Control-Request-Headers": "authorization"}
    answer = station.run(visitor._client.request("OPTIONS", f"http://station{API}/results", headers=headers))
    assert answer.is_success
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-allow-headers"] == "Authorization"


def test_changes_need_a_token(station: Station, judge: Browser, visitor: Browser) -> None:
    station.opens(10)
    assert visitor.status(f"{API}/changes").status_code == 401
    assert judge.status(f"{API}/changes").status_code == 401


def test_a_program_is_told_of_changes_until_its_token_is_removed(
    station: Station, judge: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "_PAUSE_S", 0.05)
    station.opens(10)
    head = token(judge, "display")
    sent: list[str] = []

    def on_sent(text: str) -> None:
        sent.append(text)
        if "event: tournament" in text and "event: table" not in "".join(sent):
            # A change counts from the first event on: the program has begun to ask for what it shows.
            station.context.feed.publish("calls")
            station.context.feed.publish("table", TableNo(3))
        if "event: table" in text:
            tokens = ApiTokens(judge.judges)
            tokens.remove(tokens.all()[0].number)

    async def follow() -> None:
        await asyncio.wait_for(judge.follow(f"{API}/changes", on_sent, **head), 10)

    station.run(follow())
    events = "".join(sent)
    assert "event: tournament" in events
    assert re.search(r"event: table\s+data: 3", events)
    assert "calls" not in events


@pytest.mark.parametrize("path", ["nothing", "tournaments/nothing/players", f"tournaments/{'a' * 300}"])
def test_what_is_not_there_is_an_error_for_programs(visitor: Browser, path: str) -> None:
    answer = visitor.status(f"/api/v1/{path}")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["status_code"] == 404


def test_the_description_names_the_interface_and_no_page(visitor: Browser) -> None:
    described = visitor.status("/api/openapi.json").json()
    assert described["info"]["title"] == "Saloon"
    assert len(described["paths"]) == 10
    for path, methods in described["paths"].items():
        assert path.startswith("/api/v1/")
        assert set(methods) == {"get"}
    stream = described["paths"]["/api/v1/tournaments/{tournament}/changes"]["get"]["responses"]["200"]
    assert "text/event-stream" in stream["content"]


@pytest.mark.parametrize(
    ("row", "table"),
    [
        ("ResultRow", DataTable.RESULTS),
        ("RankingRow", DataTable.RANKING),
        ("PenaltyRow", DataTable.PENALTIES),
    ],
)
def test_rows_are_described_with_the_type_of_each_cell(
    station: Station, visitor: Browser, row: str, table: DataTable
) -> None:
    station.opens(10)
    schemas = visitor.status("/api/openapi.json").json()["components"]["schemas"]
    cells = [one for name, one in schemas.items() if name.endswith(row.replace("Row", "Cells"))]
    head = exported(table, station.service.tournament(OPEN), station.service.rules(OPEN)).head
    assert [list(one["properties"]) for one in cells] == [list(head)]
    assert all(cell.get("type") or cell.get("oneOf") for cell in cells[0]["properties"].values())
    assert row in visitor.status("/api/openapi.json").text


@pytest.mark.slow
def test_every_answer_is_as_described(station: Station, visitor: Browser) -> None:
    """A tool makes requests from the description and checks the responses against it."""
    station.opens(10)
    station.plays_round()
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", visitor.app)
    tried = 0
    for result in schema.get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()

        @settings(max_examples=examples(20), deadline=None, suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy())
        def answered(case: schemathesis.Case[Any]) -> None:
            nonlocal tried
            case.call_and_validate()
            tried += 1

        answered()
    assert tried >= 9
