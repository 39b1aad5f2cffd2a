"""The contents of logs, and what they never contain."""

import io
import json
import logging
import re
from collections.abc import Iterator

import msgspec
import pytest
import structlog

from base.errors import Refused
from core.game.ending.sheet import ConfirmSheet, DeclareRoles
from core.game.events import GameStep
from core.game.orders import CallTime, ConfirmFromStation, SeatGame
from core.game.setup import CheckIn, DealRoles, SeatTable
from core.game.state.game import Confirmation, SeatedPlayer, Stake
from core.rule_set import RuleSet
from core.terms import Dollars, Ending, GameId, PlayerId, Role, RoundNo, SeatNo, TableNo, TournamentId
from kiosk.cli.logs import set_up_logs
from kiosk.terminal.game_keeper import GameKeeper
from tests.kiosk.rig.stand_ins import wired


@pytest.fixture(autouse=True)
def _own_logs() -> Iterator[None]:
    yield
    structlog.reset_defaults()


def failing(pin: str) -> None:
    try:
        len(pin) // 0
    except ZeroDivisionError:
        structlog.get_logger().exception("the terminal failed", code="4711")


@pytest.mark.parametrize("for_the_system", [True, False])
def test_a_fault_is_logged_whole_but_not_what_its_variables_held(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, for_the_system: bool
) -> None:
    if for_the_system:
        monkeypatch.setenv("JOURNAL_STREAM", "9:1")
    else:
        monkeypatch.delenv("JOURNAL_STREAM", raising=False)
    set_up_logs()
    failing("judge-only")
    said = capsys.readouterr().err
    assert "4711" in said
    assert "ZeroDivisionError: " in said
    assert "judge-only" not in said
    if for_the_system:
        assert said.startswith("<3>{")
        assert json.loads(said.removeprefix("<3>"))["level"] == "error"


def test_single_requests_at_the_door_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logs()
    structlog.get_logger().debug("door", request="GET /screen.png")
    assert capsys.readouterr().err == ""


MARK = 98_760
ROLES = {word for role in Role for word in (role.value, role.name, role.value.title())}


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    set_up_logs()
    said = io.StringIO()
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG),
        logger_factory=structlog.PrintLoggerFactory(said),
    )
    yield said
    structlog.reset_defaults()


def seating() -> SeatTable:
    players = tuple(
        SeatedPlayer(PlayerId(f"p{number}"), f"Player {number}", Stake(Dollars(MARK + number)))
        for number in range(5)
    )
    rules = RuleSet("championship-2010")
    return SeatTable(GameId("marked"), TournamentId("t"), "T", rules, RoundNo(2), TableNo(4), players)


def test_orders_that_cannot_be_carried_out_and_steps_that_cannot_be_read_name_no_secret(
    log: io.StringIO,
) -> None:
    keeper = GameKeeper()
    seated = seating()
    orders = (
        SeatGame(seated),
        ConfirmFromStation(seated.game),
        CallTime(seated.game, None, Ending.OUTLAWS_WIN, "ruled"),
        SeatGame(msgspec.structs.replace(seated, game=GameId("another"), seats=seated.seats[:1])),
    )
    for number, one in enumerate(orders, 1):
        keeper.carry_out(number, wired(one))
    keeper.carry_out(5, b"\x81\xa5roles\x91\xa8Renegade")
    again = GameKeeper()
    step = wired(GameStep(seated.game, (), None, 0))
    again.resume((step, b"\x81\xa5roles\x91\xa8Renegade", wired({"budget": MARK})), ())
    said = log.getvalue()
    assert said.count("could not be carried out") >= 2
    assert "cannot apply a step" in said
    leaked = {mark for mark in (str(MARK + i) for i in range(6)) if mark in said}
    assert leaked == set()
    assert {role for role in ROLES if re.search(rf"\b{role}\b", said)} == set()


def test_a_game_with_all_its_roles_and_bids_leaves_no_trace(log: io.StringIO) -> None:
    keeper = GameKeeper()
    plain = tuple(msgspec.structs.replace(seat, stake=None) for seat in seating().seats)
    seated = msgspec.structs.replace(seating(), rules=RuleSet("championship-2022"), seats=plain)
    keeper.carry_out(1, wired(SeatGame(seated)))
    for seat in range(1, 6):
        keeper.ask(CheckIn(SeatNo(seat)))
    keeper.ask(DealRoles())
    keeper.carry_out(2, wired(ConfirmFromStation(seated.game)))
    with pytest.raises(Refused):
        keeper.ask(DeclareRoles((Role.RENEGADE,) * 5))
    with pytest.raises(Refused):
        keeper.ask(ConfirmSheet(Confirmation.PIN))
    assert {role for role in ROLES if re.search(rf"\b{role}\b", log.getvalue())} == set()
