"""Secrets of a game never appear in the terminal's log, at any level."""

import io
import logging
import re
from collections.abc import Iterator

import msgspec
import pytest
import structlog

from base.errors import Refused
from core.game.ending.sheet import ConfirmSheet, DeclareRoles
from core.game.events import GameStep
from core.game.setup.seating import CheckIn, DealRoles, SeatTable
from core.game.state.game import Confirmation, SeatedPlayer, Stake
from core.rule_set import RuleSet
from core.terminal.orders import CallTime, ConfirmFromStation, SeatGame
from core.terms import Dollars, Ending, GameId, PlayerId, Role, RoundNo, SeatNo, TableNo, TournamentId
from kiosk.terminal.game_keeper import GameKeeper
from kiosk.terminal.logs import set_up_logs

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


def order(body: object) -> bytes:
    return msgspec.msgpack.encode(body)


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
        keeper.carry_out(number, order(one))
    keeper.carry_out(5, b"\x81\xa5roles\x91\xa8Renegade")
    again = GameKeeper()
    step = order(GameStep(seated.game, (), None, 0))
    again.resume((step, b"\x81\xa5roles\x91\xa8Renegade", order({"budget": MARK})), ())
    said = log.getvalue()
    assert said.count("could not be carried out") >= 2
    assert "cannot apply a step" in said
    leaked = {mark for mark in (str(MARK + i) for i in range(6)) if mark in said}
    assert leaked == set()
    assert {role for role in ROLES if re.search(rf"\b{role}\b", said)} == set()


def test_a_game_with_all_its_roles_and_bids_leaves_no_trace(log: io.StringIO) -> None:
    keeper = GameKeeper()
    plain = tuple(msgspec.structs.replace(seat, stake=None) for seat in seating().seats)
    keeper.carry_out(
        1,
        order(SeatGame(msgspec.structs.replace(seating(), rules=RuleSet("championship-2022"), seats=plain))),
    )
    game = keeper.game
    assert game is not None
    for seat in range(1, 6):
        keeper.ask(CheckIn(SeatNo(seat)))
    keeper.ask(DealRoles())
    keeper.carry_out(2, order(ConfirmFromStation(game.game)))
    with pytest.raises(Refused):
        keeper.ask(DeclareRoles((Role.RENEGADE,) * 5))
    with pytest.raises(Refused):
        keeper.ask(ConfirmSheet(Confirmation.PIN))
    assert {role for role in ROLES if re.search(rf"\b{role}\b", log.getvalue())} == set()
