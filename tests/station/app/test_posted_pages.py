"""Forms answered by a page instead of a redirect: browsers keep none of judges, and can go back to all."""

import re
from typing import Final

import pytest
from litestar.handlers import HTTPRouteHandler

from tests.station.browser import Browser
from tests.station.conftest import OPEN, Station
from tests.station.web.test_limited_bodies import app_of, forms_of

_T: Final = "/judge/t/{tournament:str}"
_TABLE: Final = _T + "/tables/{round_no:int}/{table:int}"
PREVIEWS: Final = {
    "/judge/new/house-rules", f"{_T}/draw/change/what-if", f"{_T}/players", f"{_T}/players/import",
    f"{_T}/players/{{player:str}}/eject/what-if", f"{_T}/players/{{player:str}}/warn",
    f"{_T}/players/{{player:str}}/withdraw/what-if", f"{_T}/undo/what-if", f"{_TABLE}/sheet",
    f"{_TABLE}/sheet/again", f"{_TABLE}/sheet/confirm", "/judge/take-in",
}  # fmt: skip
SHOWN_ONCE: Final = {
    "/judge/accounts/invitations", "/judge/accounts/tokens", "/judge/devices", "/judge/devices/all",
}  # fmt: skip
REFUSED: Final = {
    "/judge/seasons", "/judge/seasons/{season:str}", "/judge/tournaments", "/judge/terminals/cards/files",
    "/judge/terminals/cards/image",
}  # fmt: skip
OF_JUDGES: Final = PREVIEWS | SHOWN_ONCE | REFUSED | {"/judge/station/power"}
OF_OTHERS: Final = {"/device/{word:str}", "/first/restore", "/invitation", "/login", "/me/{code:str}/results"}
VALUES: Final = {"tournament": str(OPEN), "player": "p001", "season": "x", "round_no": "1", "table": "1"}

IS_POSTED = re.compile(r"<body[^>]* data-posted")


def answers_with_page(handler: HTTPRouteHandler) -> bool:
    return "Template" in str(handler.parsed_fn_signature.return_type.annotation)


def test_all_forms_that_are_answered_by_a_page_are_known(visitor: Browser) -> None:
    """For a new one, check what Back does in a browser; redirect if possible."""
    paths = {path for path, handler in forms_of(app_of(visitor)) if answers_with_page(handler)}
    assert paths == OF_JUDGES | OF_OTHERS


@pytest.mark.by_day(8)
@pytest.mark.parametrize("path", sorted(OF_JUDGES))
def test_the_address_of_such_a_page_leads_to_a_page(station: Station, judge: Browser, path: str) -> None:
    """Back loads the address, as browsers don't keep the page itself."""
    station.opens(10)
    station.publishes()
    filled = re.sub(r"\{(\w+):\w+\}", lambda match: VALUES[match[1]], path)
    has_computer = path == "/judge/station/power"
    judge.get(filled, expected=404 if has_computer else 200)


def test_scripts_know_a_page_of_judges_that_answers_a_form(station: Station, judge: Browser) -> None:
    station.opens(10)
    station.publishes()
    here = f"/judge/t/{OPEN}/tables/1/1/sheet"
    assert "data-posted" not in judge.get(here)
    answer = judge.answer(f"{here}/again", {})
    assert IS_POSTED.search(answer.text)
    assert answer.headers["cache-control"] == "no-store"
    judge.judges.sessions.end_all_of("Roy")
    assert not IS_POSTED.search(judge.send(f"{here}/again", {}, 401))
