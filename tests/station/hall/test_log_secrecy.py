"""Secrets of the rules appear in no log line of the station, and in no order to another terminal."""

import io
import json
import logging
import re
from collections.abc import Iterator

import msgspec
import pytest
import structlog
from sqlalchemy import text

from base.errors import SaloonError
from core.game.orders import SeatGame
from core.terms import Role, TableNo
from station.server.logs import set_up_logs
from station.terminals.admission import TerminalAdmission
from station.terminals.service import Terminals
from sync.protocol.entry import StreamId, content_of
from tests.station.conftest import JUDGE, OPEN, Station, present

AUCTION = "championship-2010"
PLAYERS = 10


@pytest.fixture(params=["for people", "for the system"])
def log(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """Record everything that the station logs, at all levels."""
    if request.param == "for people":
        monkeypatch.delenv("JOURNAL_STREAM", raising=False)
    else:
        monkeypatch.setenv("JOURNAL_STREAM", "9:1")
    set_up_logs()
    said = io.StringIO()
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG),
        logger_factory=structlog.PrintLoggerFactory(said),
    )
    root = logging.getLogger()
    handler = logging.StreamHandler(said)
    root.addHandler(handler)
    yield said
    root.removeHandler(handler)
    structlog.reset_defaults()


def money(station: Station) -> set[int]:
    """Return every player's totals and sums spent."""
    accounts = station.service.accounts(OPEN).values()
    return {int(one.total) for one in accounts} | {int(one.spent) for one in accounts}


def leaks(said: str, secrets: set[str]) -> set[str]:
    return {secret for secret in secrets if re.search(rf"(?<![\w.:-]){re.escape(secret)}(?![\w:-])", said)}


def in_words(amounts: set[int]) -> set[str]:
    big = {amount for amount in amounts if amount >= 100}
    return {str(amount) for amount in big} | {f"{amount:,}" for amount in big}


MARKED = {"b": "Renegade 98765"}
ROLES = {
    word for role in Role if role is not Role.SHERIFF for word in (role.value, role.name, role.value.title())
}


def test_a_whole_round_and_its_money_leave_no_trace_in_the_log(station: Station, log: io.StringIO) -> None:
    station.opens(PLAYERS)
    terminals = [station.terminal(1), station.terminal(2)]
    station.publishes()
    for terminal in terminals:
        terminal.plays()
    station.run(station.service.of(Terminals).renew_pins(JUDGE))
    station.service.standings(OPEN)
    made = station.run(station.service.of(Terminals).enrol(TableNo(9), JUDGE))
    token = made.partition('token = "')[2].partition('"')[0]
    station.run(station.service.of(TerminalAdmission).show_code(None, JUDGE))
    code = present(station.run(station.service.of(TerminalAdmission).code_shown(is_floor=True)))
    said = log.getvalue()
    assert "record sheet accepted" in said
    assert "code shown" in said
    assert len(money(station)) > 1
    secrets = (
        in_words(money(station))
        | ROLES
        | {*map(station.service.pin, (one.id for one in terminals)), "$argon2", token, code.code}
    )
    assert leaks(said, secrets) == set()


def test_refusals_errors_and_faults_say_nothing_secret(station: Station, log: io.StringIO) -> None:
    terminal = station.running_round(PLAYERS)
    terminal.writes_body(msgspec.msgpack.encode({"roles": ["Renegade"], "dollars": 98_765}))
    terminal.sends()
    for table in ("nowhere (value)", "settings (name)"):
        try:
            with station.database.transaction() as connection:
                connection.execute(text(f"INSERT INTO {table} VALUES (:b)"), MARKED)
        except SaloonError:
            structlog.get_logger().exception("an error of ours")
    said = log.getvalue()
    assert "cannot be read" in said
    assert "no such table" in said
    assert leaks(said, ROLES | {"98765", "98,765"}) == set()


def test_a_terminal_is_told_the_budgets_of_its_own_table_and_nothing_of_others(station: Station) -> None:
    station.opens(PLAYERS, rules=AUCTION)
    station.plays_round()
    here, there = station.terminal(1), station.terminal(2)
    station.publishes("second")
    round_ = station.latest_round
    assert len(money(station)) > 1
    for terminal, table in ((here, round_.tables[0]), (there, round_.tables[1])):
        (seated,) = terminal.ordered(SeatGame)
        players = {seat.player for seat in seated.seating.seats}
        assert players == set(table.players)
        assert all(seat.stake is not None for seat in seated.seating.seats)
        sent = b"".join(
            bytes(content_of(entry.raw).body)
            for entry in station.store.entries(StreamId(f"orders/{terminal.id}"), 0, 1_000)
        )
        strangers = {player for other in round_.tables for player in other.players} - players
        assert strangers
        assert not [player for player in strangers if player.encode() in sent]


def test_where_nothing_is_bought_no_terminal_is_told_of_money(station: Station) -> None:
    station.opens(PLAYERS)
    station.plays_round()
    terminal = station.terminal(1)
    station.publishes("second")
    (seated,) = terminal.ordered(SeatGame)
    assert all(seat.stake is None for seat in seated.seating.seats)
    words = json.dumps([msgspec.to_builtins(order) for order in terminal.orders])
    assert leaks(words, in_words(money(station))) == set()
