"""Guards for every test: no screen, no pins, no sound, and no deadline, whatever the machine has."""

import gc
import logging
import os
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
import structlog
from hypothesis import HealthCheck, settings
from sqlalchemy import create_engine

from tests.examples import FULL, SHARE
from tests.postgresql import PostgreSql, running_postgresql

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ["GPIOZERO_PIN_FACTORY"] = "mock"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

# The tests start hundreds of programs, which would each compile all of Saloon where no bytecode is written.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# By default an error is logged with all values of all its frames: seconds where a game is among them.
structlog.configure(
    processors=[
        *structlog.get_config()["processors"][:-1],
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
    ]
)

OF_THE_CLONE = "the clone has no history"
"""The reason of a skipped test that no package helps: a shallow clone has no earlier versions."""
WHOLE = {"station", "make_table", "postgresql_server"}
"""Fixtures of whole stations, tables and databases: their tests are ``slow``."""
LONGEST_FIRST = ("bench", "hil", "browser", "faults", "slow")
"""The markers of tests that take long, those with the longest modules first."""

# A machine that is busy generates slowly; only the size and shape of data is judged.
settings.register_profile(
    "night", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=FULL
)
settings.register_profile("day", settings.get_profile("night"), max_examples=SHARE)
settings.load_profile("day")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a skipped test under CI: what it needs, `make system` and `make peers` ask for."""
    report = yield
    if report.skipped and os.environ.get("CI") and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if OF_THE_CLONE not in reason:
            report.outcome = "failed"
            report.longrepr = f"under CI nothing may be skipped. {reason}"
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave cases to the night, and run the longest modules first: at the end no worker waits for another.

    Give a test beside browsers and processes a second chance, which is reported. Neither the core's tests nor
    those that look for lost data get one: they fail only by a fault.
    """
    _leave_to_the_night(items)
    ranks: dict[Path, int] = {}
    for item in items:
        if any(item.get_closest_marker(name) for name in ("browser", "hil", "bench")):
            item.add_marker(pytest.mark.flaky(reruns=1))
        if WHOLE.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)
        long = (rank for rank, name in enumerate(LONGEST_FIRST) if item.get_closest_marker(name))
        ranks[item.path] = min(ranks.get(item.path, len(LONGEST_FIRST)), *long, len(LONGEST_FIRST))
    # Those of the station, the last by name, are longer than those of the core.
    order = {path: (rank, -at) for at, (path, rank) in enumerate(ranks.items())}
    items.sort(key=lambda item: order[item.path])


def _leave_to_the_night(items: list[pytest.Item]) -> None:
    """Mark as nightly what ``by_day`` does not keep of the cases of a test."""
    cases: dict[tuple[Path, str], list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("by_day"):
            cases.setdefault((item.path, item.name.partition("[")[0]), []).append(item)
    for same in cases.values():
        for item in left_out(same):
            item.add_marker(pytest.mark.nightly)


def left_out(cases: list[pytest.Item]) -> list[pytest.Item]:
    """Return the cases that ``by_day`` leaves out: it keeps those with the values that were used least."""
    marker, used, left = cases[0].get_closest_marker("by_day"), Counter[object](), list(enumerate(cases))
    for _ in range(marker.args[0] if marker else len(cases)):
        # Of equals one that is a golden section of the list farther on: no neighbours.
        one = min(left, key=lambda one: (sum(used[value] for value in values(one[1])), one[0] * 0.618 % 1))
        used.update(values(one[1]))
        left.remove(one)
    return [item for _, item in left]


def values(item: pytest.Item) -> list[object]:
    """Return the parameters of a case, each with the identity of its value."""
    parameters = getattr(item, "callspec").params  # noqa: B009 (only functions have it)
    return [(name, id(value)) for name, value in parameters.items()]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without the garbage collector, and keep them and their modules out of its way.

    Later it runs for every 20,000 new objects instead of every 700.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    """Return to the last collection, which pytest makes, what lived longer than its module."""
    gc.unfreeze()


@pytest.fixture(autouse=True)
def _own_logging() -> Iterator[None]:
    """Undo what a program started inside a test sets for the logs of the whole process."""
    root = logging.getLogger()
    before, level, handlers = structlog.get_config(), root.level, tuple(root.handlers)
    yield
    structlog.configure(**before)
    root.setLevel(level)
    for handler in set(root.handlers) - set(handlers):
        root.removeHandler(handler)


@pytest.fixture(autouse=True, scope="module")
def _nothing_left_open() -> Iterator[None]:
    """Report what a module's tests left open as their fault, and not in a later module.

    What survives is kept out of the next collection: to look at everything again and again took a quarter
    of all processor time.
    """
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[PostgreSql]:
    """A real PostgreSQL that lives as long as the tests."""
    with running_postgresql() as server:
        yield server


@pytest.fixture
def postgresql_url(postgresql_server: PostgreSql, request: pytest.FixtureRequest) -> str:
    """An empty schema of its own for one test."""
    name = f"t{abs(hash(request.node.nodeid)):x}"
    engine = create_engine(postgresql_server.url)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"DROP SCHEMA IF EXISTS {name} CASCADE")
        connection.exec_driver_sql(f"CREATE SCHEMA {name}")
    engine.dispose()
    return f"{postgresql_server.url}&options=-csearch_path%3D{name}"
