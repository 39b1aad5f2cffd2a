"""New terminals: at a cable, by join code, and on the judge's pages."""

import asyncio
import re
from collections.abc import Coroutine

import pytest

from base.errors import BadData
from core.terms import TableNo
from station.projections.cards import CodeState
from station.terminals.admission import TerminalAdmission
from station.terminals.service import Terminals
from sync.enrolment.agreement import (
    AskJudge,
    CodeTried,
    Parties,
    code_key,
    code_typed,
    is_same,
    station_proof,
    terminal_proof,
)
from sync.enrolment.provisioning import provisioning_of
from sync.enrolment.station_side import StrangerRefused
from sync.protocol.entry import TerminalId
from sync.protocol.messages import CloseCause
from sync.tls.certificates import fingerprint_of_pem, generate_certificate
from tests.station.browser import Browser
from tests.station.conftest import JUDGE, Station, present

NEW = generate_certificate("new")[1]
NEW_ID = fingerprint_of_pem(NEW, "test")
PARTIES = Parties(b"station", b"terminal", bytes(32), bytes(32))


def tried(code: str, certificate: str = NEW) -> CodeTried:
    return CodeTried(certificate, PARTIES, terminal_proof(code_key(code, PARTIES)))


def code_on_floor(station: Station, table: int | None = 7) -> str:
    """Return a code that the judge has shown, as typed at the terminal."""
    station.run(
        station.service.of(TerminalAdmission).show_code(None if table is None else TableNo(table), JUDGE)
    )
    code = present(station.run(station.service.of(TerminalAdmission).code_shown(is_floor=True)))
    assert code.state is CodeState.VALID
    return code_typed(code.code)


async def plugs_in(station: Station, check_code: str) -> asyncio.Future[None]:
    """Plug a new terminal in at the cable, which shows a number until the judge has decided."""
    asking = asyncio.ensure_future(station.directory.ask_judge(AskJudge(NEW, check_code), "ttyUSB0"))
    await asyncio.sleep(0)
    return asking


def state(station: Station) -> CodeState | None:
    code = station.run(station.service.of(TerminalAdmission).code_shown(is_floor=True))
    return None if code is None else code.state


def refused(station: Station, work: Coroutine[object, object, object]) -> CloseCause:
    with pytest.raises(StrangerRefused) as raised:
        station.run(work)
    station.settle()
    return raised.value.cause


def table_of(station: Station, terminal: TerminalId) -> int | None:
    station.settle()
    return next(card.table for card in station.service.terminals() if card.terminal == terminal)


@pytest.mark.slow
def test_the_right_code_lets_one_terminal_in_at_its_table(station: Station) -> None:
    code = code_on_floor(station)
    proof = station.run(station.directory.try_code(tried(code), "192.0.2.9"))
    assert is_same(proof, station_proof(code_key(code, PARTIES)))
    assert NEW in station.directory.certificates()
    assert table_of(station, NEW_ID) == 7
    assert state(station) is CodeState.LET_IN
    other = tried(code, generate_certificate("other")[1])
    assert refused(station, station.directory.try_code(other, "192.0.2.8")) is CloseCause.NO_CODE


@pytest.mark.slow
def test_a_wrong_code_uses_the_try_up(station: Station) -> None:
    code = code_on_floor(station)
    assert refused(station, station.directory.try_code(tried("0000000000"), "x")) is CloseCause.WRONG_CODE
    assert state(station) is CodeState.WRONG
    assert refused(station, station.directory.try_code(tried(code), "x")) is CloseCause.NO_CODE
    assert station.service.terminals() == ()


@pytest.mark.slow
def test_two_who_try_at_once_are_one_too_many(station: Station) -> None:
    code = code_on_floor(station)

    async def both() -> list[bytes | BaseException]:
        other = tried(code, generate_certificate("other")[1])
        tries = (station.directory.try_code(one, "x") for one in (tried(code), other))
        return await asyncio.gather(*tries, return_exceptions=True)

    results = station.run(both())
    assert sorted(type(one).__name__ for one in results) == ["StrangerRefused", "bytes"]
    station.settle()
    assert len(station.service.terminals()) == 1


@pytest.mark.slow
def test_a_code_is_valid_for_three_minutes_and_a_newer_one_makes_it_void(station: Station) -> None:
    code = code_on_floor(station)
    station.clock.passed_ms += 180_000
    assert state(station) is CodeState.OVER
    assert refused(station, station.directory.try_code(tried(code), "x")) is CloseCause.NO_CODE
    first, second = code_on_floor(station), code_on_floor(station)
    assert refused(station, station.directory.try_code(tried(first), "x")) is CloseCause.WRONG_CODE
    assert first != second
    third = code_on_floor(station)
    station.clock.passed_ms -= 3_600_000
    assert refused(station, station.directory.try_code(tried(third), "x")) is CloseCause.NO_CODE
    assert state(station) is None


@pytest.mark.slow
def test_when_the_answer_is_lost_the_same_terminal_may_ask_again_and_nobody_else(station: Station) -> None:
    code = code_on_floor(station)
    station.run(station.directory.try_code(tried(code), "x"))
    station.clock.passed_ms += 200_000
    assert station.run(station.directory.try_code(tried(code), "x"))
    # A wrong proof in its name ends that.
    assert refused(station, station.directory.try_code(tried("0000000000"), "x")) is CloseCause.WRONG_CODE
    assert refused(station, station.directory.try_code(tried(code), "x")) is CloseCause.NO_CODE
    assert table_of(station, NEW_ID) == 7


def test_a_code_of_another_station_process_is_known_and_tried_once(station: Station) -> None:
    code = code_on_floor(station)
    other = station.restarts()
    assert other.run(other.directory.try_code(tried(code), "x"))


@pytest.mark.slow
def test_who_was_revoked_is_not_let_in_again_by_what_let_it_in_before(station: Station) -> None:
    code = code_on_floor(station)
    station.run(station.directory.try_code(tried(code), "x"))
    station.settle()
    station.run(station.service.of(Terminals).revoke(NEW_ID, JUDGE))
    assert refused(station, station.directory.try_code(tried(code), "x")) is CloseCause.WRONG_CODE
    made = station.run(station.service.of(Terminals).enrol(TableNo(3), JUDGE))
    token = provisioning_of(made, "file").terminal.token
    assert station.directory.enrol(token, NEW) == NEW_ID
    station.settle()
    station.run(station.service.of(Terminals).revoke(NEW_ID, JUDGE))
    assert station.directory.enrol(token, NEW) is None
    assert NEW not in station.directory.certificates()
    # By a new wish of the judge it is.
    assert station.run(station.directory.try_code(tried(code_on_floor(station)), "x"))
    assert table_of(station, NEW_ID) == 7


def test_the_judge_takes_the_terminal_at_the_cable_in_or_sends_it_away(station: Station) -> None:
    admission = station.service.of(TerminalAdmission)

    async def plugged(check_code: str, *, welcome: bool) -> None:
        asking = await plugs_in(station, check_code)
        (waiting,) = admission.waiting()
        assert (waiting.terminal, waiting.place, waiting.check_code) == (NEW_ID, "ttyUSB0", check_code)
        if welcome:
            await admission.take_in(check_code, TableNo(5), JUDGE)
        else:
            await admission.refuse(check_code, JUDGE)
        await asking

    assert refused(station, plugged("111111", welcome=False)) is CloseCause.REFUSED
    assert station.service.terminals() == ()
    station.run(plugged("222222", welcome=True))
    assert table_of(station, NEW_ID) == 5
    assert admission.waiting() == ()
    # Its first answer was lost: the judge is not asked again.
    station.run(station.directory.ask_judge(AskJudge(NEW, "333333"), "ttyUSB0"))


def test_one_that_was_unplugged_is_forgotten_and_cannot_be_taken_in(station: Station) -> None:
    admission = station.service.of(TerminalAdmission)

    async def pulled() -> None:
        asking = await plugs_in(station, "111111")
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        assert admission.waiting() == ()
        with pytest.raises(KeyError):
            await admission.take_in("111111", None, JUDGE)
        with pytest.raises(KeyError):
            await admission.refuse("111111", JUDGE)

    station.run(pulled())


def test_impossible_tables_are_refused_and_the_terminal_waits_on(station: Station) -> None:
    async def take_in() -> None:
        asking = await plugs_in(station, "111111")
        with pytest.raises(BadData, match="1 to 999"):
            await station.service.of(TerminalAdmission).take_in("111111", TableNo(1000), JUDGE)
        assert len(station.service.of(TerminalAdmission).waiting()) == 1
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)

    station.run(take_in())
    with pytest.raises(BadData, match="1 to 999"):
        station.run(station.service.of(TerminalAdmission).show_code(TableNo(0), JUDGE))


HERE = "/judge/terminals"


def doors_key(page: str) -> str:
    match = present(re.search(r"doors\?seen=([0-9a-f]+)", page))
    return match.group(1)


def test_a_code_is_shown_in_groups_until_it_is_used(station: Station, judge: Browser) -> None:
    page = judge.get(HERE)
    judge.post(f"{HERE}/code", table="7")
    page = judge.get(HERE)
    assert "Code for table 7" in page
    match = present(re.search(r"[0-9A-Z]{5}-[0-9A-Z]{5}", page))
    assert judge.status(f"{HERE}/doors?seen={doors_key(page)}").status_code == 204
    station.run(station.directory.try_code(tried(code_typed(match.group())), "x"))
    station.settle()
    fragment = judge.get(f"{HERE}/doors?seen={doors_key(page)}")
    assert "enrolled with the code" in fragment
    assert match.group() not in fragment


def test_the_terminal_at_the_cable_is_accepted_by_its_number(station: Station, judge: Browser) -> None:
    judge.get(HERE)
    asking = station.run(plugs_in(station, "482913"))
    page = judge.get(HERE)
    assert "New terminal on cable ttyUSB0" in page
    assert "482&#8239;913" in page
    judge.post(f"{HERE}/take-in", expected=404, check_code="000000", table="4")
    assert "The terminal has been enrolled." in judge.post(f"{HERE}/take-in", check_code="482913", table="4")
    station.run(asyncio.wait_for(asking, 5))
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
