"""The judge's page of terminals: who waits at the cable, the code, and revoking with care."""

import asyncio
import re

import pytest

from sync.enrolment.agreement import AskJudge, code_typed
from tests.station.browser import Browser
from tests.station.conftest import Station
from tests.station.terminals.test_admission import NEW, tried

HERE = "/judge/terminals"


def doors_key(page: str) -> str:
    match = re.search(r"doors\?seen=([0-9a-f]+)", page)
    assert match is not None
    return match.group(1)


def test_a_code_is_shown_in_groups_until_it_is_used(station: Station, judge: Browser) -> None:
    page = judge.get(HERE)
    judge.post(f"{HERE}/code", table="7")
    page = judge.get(HERE)
    assert "Code for table 7" in page
    match = re.search(r"[0-9A-Z]{5}-[0-9A-Z]{5}", page)
    assert match is not None
    assert judge.status(f"{HERE}/doors?seen={doors_key(page)}").status_code == 204
    station.run(station.directory.try_code(tried(code_typed(match.group())), "x"))
    station.settle()
    fragment = judge.get(f"{HERE}/doors?seen={doors_key(page)}")
    assert "enrolled with the code" in fragment
    assert match.group() not in fragment


def test_the_terminal_at_the_cable_is_accepted_by_its_number(station: Station, judge: Browser) -> None:
    judge.get(HERE)
    asking: list[asyncio.Future[None]] = []

    async def plugged() -> None:
        asking.append(asyncio.ensure_future(station.directory.ask_judge(AskJudge(NEW, "482913"), "ttyUSB0")))
        await asyncio.sleep(0)

    station.run(plugged())
    page = judge.get(HERE)
    assert "New terminal on cable ttyUSB0" in page
    assert "482&#8239;913" in page
    judge.post(f"{HERE}/take-in", expected=404, check_code="000000", table="4")
    assert "The terminal has been enrolled." in judge.post(f"{HERE}/take-in", check_code="482913", table="4")
    station.run(asyncio.wait_for(asking[0], 5))
    station.settle()
    assert [card.table for card in station.service.terminals()] == [4]


def test_revoking_asks_first_and_says_what_about(station: Station, judge: Browser) -> None:
    terminal = station.terminal(3)
    assert f'href="{HERE}/{terminal.id}/revoke"' in judge.get(HERE)
    page = judge.get(f"{HERE}/{terminal.id}/revoke")
    for said in (terminal.id[:8], "Enrolled since", "20", "Last contact", "can't be undone"):
        assert said in page
    assert len(station.service.terminals()) == 1
    judge.post(f"{HERE}/{terminal.id}/revoke")
    assert station.service.terminals() == ()
    assert judge.status(f"{HERE}/{terminal.id}/revoke").status_code == 404


@pytest.mark.parametrize("path", ["doors", "code", "take-in", "refuse", "0/revoke"])
def test_only_judges_see_and_decide(visitor: Browser, path: str) -> None:
    answer = visitor.status(f"{HERE}/{path}")
    assert answer.status_code in {302, 405}
    assert "check-code" not in answer.text
