"""Limits in the database, tried by eight calls at the same moment at two stations."""

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import pytest

from base.errors import BadData, Refused
from core.terms import TableNo
from station.accounts.api_tokens import ApiTokens
from station.accounts.invitations import FirstJudge, Invitations
from station.accounts.judges import Judges
from station.accounts.permissions import AccountRole
from station.enrolment.enrolments import Enrolments
from station.store import schema
from station.store.database import Database, sqlite_url
from sync.protocol.entry import TerminalId
from sync.tls.certificates import generate_certificate
from tests.station.conftest import WALL_MS, present
from tests.station.empty_database import put_empty_database

EIGHT: Final = range(8)
PASSWORD: Final = "tumbleweed in the wind"
CERTIFICATES: Final = tuple(generate_certificate(f"terminal {number}")[1] for number in EIGHT)
ROUNDS: Final = 3
T = TypeVar("T")
Pair = tuple[Database, Database]


def pair_of(url: str) -> Iterator[Pair]:
    with contextlib.closing(Database(url)) as one, contextlib.closing(Database(url)) as other:
        yield one, other


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=[pytest.mark.conformance])])
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pair]:
    """Return two stations' connections to one database; on SQLite, they are of the same station."""
    if request.param == "postgresql":
        yield from pair_of(request.getfixturevalue("postgresql_url"))
        return
    put_empty_database(tmp_path / "station.sqlite")
    with contextlib.closing(Database(sqlite_url(tmp_path / "station.sqlite"))) as only:
        yield only, only


def at_once(pair: Pair, work: Callable[[Database, int], T]) -> list[T | Exception]:
    """Return the results or errors of eight simultaneous calls, half of them at each station."""
    together = threading.Barrier(len(EIGHT))

    def one(number: int) -> T | Exception:
        together.wait(10)
        try:
            return work(pair[number % 2], number)
        except (Refused, BadData) as error:
            return error

    with ThreadPoolExecutor(len(EIGHT)) as pool:
        return list(pool.map(one, EIGHT))


def done(results: Sequence[T | Exception]) -> list[T]:
    return [one for one in results if one is not None and not isinstance(one, Exception)]


def enrolments(database: Database) -> Enrolments:
    return Enrolments(database, lambda: WALL_MS)


def enrolled(token: str, fresh: Sequence[str], database: Database, number: int) -> TerminalId | None:
    return enrolments(database).enrol(token, fresh[number])


def judges(database: Database) -> Judges:
    return Judges(database, lambda: WALL_MS)


@pytest.mark.slow
def test_a_token_enrols_one_terminal(pair: Pair) -> None:
    for _ in range(ROUNDS):
        token = enrolments(pair[0]).new_token(None)
        known = len(enrolments(pair[0]).certificates())
        fresh = [generate_certificate("fresh")[1] for _ in EIGHT]
        results = at_once(pair, partial(enrolled, token, fresh))
        assert len(done(results)) == 1
        assert len(enrolments(pair[0]).certificates()) == known + 1


@pytest.mark.slow
def test_a_table_has_one_terminal(pair: Pair) -> None:
    tokens = [enrolments(pair[0]).new_token(TableNo(1)) for _ in EIGHT]
    at_once(pair, lambda one, number: enrolments(one).enrol(tokens[number], CERTIFICATES[number]))
    known = enrolments(pair[0]).terminals()
    assert [one.table for one in known if one.table is not None] == [1]
    at_once(pair, lambda one, number: enrolments(one).assign(known[number].terminal, TableNo(2)))
    assert [one.table for one in enrolments(pair[0]).terminals() if one.table == 2] == [2]


@pytest.mark.slow
def test_a_name_of_a_certificate_is_one_terminals(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("station.enrolment.enrolments.subject_of", lambda *_: b"the same")
    at_once(pair, lambda one, number: enrolments(one).add_vouched(CERTIFICATES[number], None))
    assert len(enrolments(pair[0]).terminals()) == 1


@pytest.mark.slow
def test_a_revoked_terminal_stays_out_whatever_was_on_the_way(pair: Pair) -> None:
    known = enrolments(pair[0])
    token = known.new_token(TableNo(1))
    terminal = present(known.enrol(token, CERTIFICATES[0]))

    def work(database: Database, number: int) -> object:
        here = enrolments(database)
        if number == 0:
            here.revoke(terminal)
        elif number % 2:
            with contextlib.suppress(KeyError):
                here.assign(terminal, TableNo(number))
        else:
            here.enrol(token, CERTIFICATES[0])
        return None

    at_once(pair, work)
    (card,) = known.terminals()
    assert (card.revoked, card.table, known.is_enrolled(TerminalId(terminal))) == (True, None, False)


@pytest.mark.slow
def test_there_are_never_more_tokens_of_programs_than_fifty(pair: Pair) -> None:
    for number in range(48):
        ApiTokens(judges(pair[0])).make(f"program {number}", AccountRole.DISPLAY, "Roy")
    at_once(pair, lambda one, n: ApiTokens(judges(one)).make(f"one more {n}", AccountRole.DISPLAY, "Roy"))
    assert len(ApiTokens(judges(pair[0])).all()) == 50


@pytest.mark.slow
def test_an_account_is_added_once_the_first_one_too(pair: Pair) -> None:
    codes = [FirstJudge(judges(one)) for one in pair]
    results = at_once(pair, lambda _, n: codes[n % 2].open(codes[n % 2].code(), f"First {n}", PASSWORD))
    assert len(done(results)) == len(judges(pair[0]).all()) == 1
    names = ("Roy", "roy", "ROY", "rOy")
    results = at_once(pair, lambda one, number: judges(one).add(names[number % 4], PASSWORD))
    assert len(done(results)) == 1
    assert len(judges(pair[0]).all()) == 2


@pytest.mark.slow
def test_an_invitation_opens_one_account_and_a_name_has_one_invitation(pair: Pair) -> None:
    judges(pair[0]).add("Roy", PASSWORD)
    at_once(pair, lambda one, _: Invitations(judges(one)).make("Kit", AccountRole.FLOOR_JUDGE, "Roy"))
    assert len(Invitations(judges(pair[0])).all()) == 1
    key = Invitations(judges(pair[0])).make("Kit", AccountRole.FLOOR_JUDGE, "Roy")
    results = at_once(pair, lambda one, _: Invitations(judges(one)).accept(key, PASSWORD))
    assert len(done(results)) == 1


@pytest.mark.slow
def test_a_head_judge_is_always_left(pair: Pair) -> None:
    names = [f"Judge {number}" for number in EIGHT]
    for name in names:
        judges(pair[0]).add(name, PASSWORD)
    at_once(pair, lambda one, number: judges(one).remove(names[number]))
    assert len(judges(pair[0]).all()) == 1


@pytest.mark.slow
def test_a_judge_has_at_most_32_sessions(pair: Pair) -> None:
    judges(pair[0]).add("Roy", PASSWORD)
    for _ in range(30):
        judges(pair[0]).sessions.begin("Roy")
    at_once(pair, lambda one, _: judges(one).sessions.begin("Roy"))
    assert len(judges(pair[0]).sessions.all()) == 32


def test_a_transaction_alone_with_a_table_lets_others_read_it(pair: Pair) -> None:
    with pair[0].transaction(alone_with=schema.judges):
        if not pair[1].is_sqlite:
            assert judges(pair[1]).all() == ()
