"""The interface for programs: read-only, without a secret, and as its description says."""

import json
from typing import Any

import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.core.result import Ok
from tests.station.conftest import OPEN, Station, seed
from tests.station.web.conftest import Browser

from saloon.core.tournament.commands import DrawLots, PublishRanking
from saloon.core.tournament.events import Waivers

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
    station.opens(10, Waivers(rounds=1))
    terminal = station.terminal(1)
    station.publishes()
    terminal.plays()
    for path in ("", "/players", "/rounds", "/tables"):
        text = visitor.status(f"{API}{path}").text.lower()
        assert not [secret for secret in ("outlaw", "renegade", "deputy", "winnings", "$") if secret in text]
    for path in ("/results", "/ranking"):
        answer = visitor.status(f"{API}{path}")
        assert answer.status_code == 404
        assert answer.json() == {
            "status_code": 404,
            "detail": "This is public once the ranking is published.",
        }


def test_results_and_ranking_come_with_the_publication(station: Station, visitor: Browser) -> None:
    station.opens(10, Waivers(rounds=1))
    station.plays_round()
    while station.service.standings(OPEN).draw_groups:
        station.does(DrawLots(seed("lots")))
    station.does(PublishRanking())
    first = rows(visitor, f"{API}/ranking")[0]["cells"]
    assert isinstance(first, dict)
    assert first["rank"] == 1
    assert first["player"] == station.service.standings(OPEN).rows[0].player
    assert len(rows(visitor, f"{API}/results")) == 10


def test_an_unknown_tournament_is_an_error_for_programs(visitor: Browser) -> None:
    answer = visitor.status("/api/v1/tournaments/nothing/players")
    assert answer.status_code == 404
    assert answer.json()["status_code"] == 404


def test_the_description_names_the_interface_and_no_page(visitor: Browser) -> None:
    described = visitor.status("/api/openapi.json").json()
    assert described["info"]["title"] == "Saloon"
    assert len(described["paths"]) == 7
    for path, found in described["paths"].items():
        assert path.startswith("/api/v1/")
        assert set(found) == {"get"}


def test_every_answer_is_as_described(station: Station, visitor: Browser) -> None:
    """A tool makes up requests from the description, and compares the answers with it."""
    station.opens(10)
    station.plays_round()
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", visitor.app)
    tried = 0
    for found in schema.get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()

        @settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy())
        def answered(case: schemathesis.Case[Any]) -> None:
            nonlocal tried
            case.call_and_validate()
            tried += 1

        answered()
    assert tried >= 7
