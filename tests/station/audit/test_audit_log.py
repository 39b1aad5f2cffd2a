"""The lines of the audit: added, filtered, never changed."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from station.audit import LONGEST_FACT, AuditFilter, AuditLine, AuditLog
from station.store.database import Database, sqlite_url


@pytest.fixture(params=["sqlite", "postgresql"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[AuditLog]:
    url = (
        sqlite_url(tmp_path / "station.sqlite")
        if request.param == "sqlite"
        else request.getfixturevalue("postgresql_url")
    )
    database = Database(url)
    yield AuditLog(database)
    database.close()


def line(number: int, **changes: object) -> AuditLine:
    made = AuditLine(number * 1_000, "Roy", "head-judge", "10.0.0.7", "POST /login", {"name": "Roy"})
    return msgspec.structs.replace(made, **changes)


@pytest.mark.slow
def test_lines_come_back_as_they_were_added_the_newest_first(log: AuditLog) -> None:
    log.add(line(1))
    log.add(
        line(2, before="head-judge", refused=True, facts={"tournament": "open", "reason": "Ünïcode 100%"})
    )
    lines = log.page(AuditFilter(), 0, 10)
    assert [one.wall_ms for one in lines] == [2_000, 1_000]
    assert lines[0].facts == {"tournament": "open", "reason": "Ünïcode 100%"}
    assert (lines[0].before, lines[0].refused, lines[1].refused) == ("head-judge", True, False)
    assert lines[0].number > lines[1].number


@pytest.mark.slow
def test_each_field_of_a_filter_leaves_its_lines(log: AuditLog) -> None:
    log.add(line(1, judge="Ada"))
    log.add(line(2, route="POST /logout"))
    log.add(line(3, facts={"tournament": "open", "reason": "100% sure"}))
    for wanted, expected in (
        (AuditFilter(judge="Ada"), [1_000]),
        (AuditFilter(routes=("POST /logout",)), [2_000]),
        (AuditFilter(routes=()), []),
        (AuditFilter(tournament="open"), [3_000]),
        (AuditFilter(text="0% SURE"), [3_000]),
        (AuditFilter(text="_"), []),
        (AuditFilter(from_ms=2_000), [3_000, 2_000]),
        (AuditFilter(to_ms=2_000), [1_000]),
    ):
        assert [one.wall_ms for one in log.page(wanted, 0, 10)] == expected, wanted
        assert [one.wall_ms for one in log.lines(wanted)] == expected, wanted
    assert log.people() == ("Ada", "Roy")
    assert [one.wall_ms for one in log.page(AuditFilter(), 1, 1)] == [2_000]


@pytest.mark.slow
def test_all_lines_are_read_however_many(log: AuditLog) -> None:
    """They are read in pieces of 500."""
    for number in range(503):
        log.add(line(number))
    assert [one.wall_ms for one in log.lines(AuditFilter())] == [n * 1_000 for n in reversed(range(503))]


def test_a_long_fact_is_cut(log: AuditLog) -> None:
    log.add(line(1, facts={"text": "x" * 10_000}))
    assert log.page(AuditFilter(), 0, 1)[0].facts == {"text": "x" * LONGEST_FACT}
