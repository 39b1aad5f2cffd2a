"""A short form of every measurement, with its real peers: none rots unseen between two full runs."""

import io
import math
from collections.abc import Iterator

import pytest
from click.testing import CliRunner
from rich.console import Console

from base.errors import Unavailable
from bench import __main__ as program
from bench.__main__ import (
    BENCHES,
    PAGE,
    Failure,
    as_markdown,
    figures_in,
    measurements_of,
    merge_figures,
    shown,
    take,
)
from bench.figure import Effort, Figure, Measurement, Once
from bench.serial.cuts import after_cuts
from bench.serial.line import peer_share
from bench.serial.peers import Peer

SHORT = Effort(0.01)
NEEDS_IMAGES = "image"
"""Its measurements read what ``make image-test`` left; tests/test_image_figures.py holds how."""


def measurements() -> Iterator[object]:
    for bench in BENCHES:
        if bench == NEEDS_IMAGES:
            continue
        for measurement in measurements_of(bench, SHORT):
            yield pytest.param(measurement, id=f"{bench}: {measurement.name}")


@pytest.mark.bench
@pytest.mark.parametrize("measurement", list(measurements()))
def test_a_short_run_gives_figures_beside_their_peers(measurement: Measurement) -> None:
    figures = measurement.take()
    assert figures
    for figure in figures:
        assert math.isfinite(figure.ours)
        assert math.isfinite(figure.peer)
        assert figure.ours >= 0
        assert figure.peer_name


ROW = Figure("start", "s", 0.25, "peer", 2.0, aim="a rather long aim that goes on and on, as some do")


def fail(error: Exception) -> list[Figure]:
    raise error


PLAN = (
    Measurement("first", lambda: [ROW]),
    Measurement("broken", lambda: fail(ValueError("no byte arrived"))),
    Measurement("not here", lambda: fail(Unavailable("kermit is not installed: make peers"))),
    Measurement("last", lambda: [Figure("rate", "events/s", 5.0, "peer", 10.0, "more")]),
)


def run(monkeypatch: pytest.MonkeyPatch, plan: tuple[Measurement, ...]) -> tuple[int, str]:
    monkeypatch.setattr(program, "measurements_of", lambda *_: plan)
    done = CliRunner(env={"COLUMNS": "80"}).invoke(program.main, ["card"])
    return done.exit_code, done.output


def test_one_failing_measurement_loses_no_other_and_is_named_with_its_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    status, printed = run(monkeypatch, PLAN)
    assert status == 1
    assert "start" in printed
    assert "rate" in printed
    assert "broken failed: ValueError: no byte arrived" in printed
    assert "not here left out: kermit is not installed: make peers" in printed


def test_what_is_only_left_out_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, (PLAN[0], PLAN[2]))[0] == 0


def test_the_table_can_be_read_at_80_columns() -> None:
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(shown([ROW]))
    text = console.export_text()
    assert max(map(len, text.splitlines())) <= 80
    for word in ("start", "0.25", "0.12", "peer", "less is better", "aim:"):
        assert word in text


def test_what_several_rows_need_is_made_once_and_fails_for_each_of_them() -> None:
    made: list[int] = []

    def make() -> int:
        made.append(1)
        raise ValueError("gone")

    once = Once(make)
    plan = [Measurement(name, lambda: [Figure("x", "s", once(), "peer", 1.0)]) for name in ("a", "b")]
    assert [take(one) for one in plan] == [Failure("a", "ValueError: gone"), Failure("b", "ValueError: gone")]
    assert made == [1]


OLD = Figure("start", "s", 0.5, "peer", 2.0, aim="0.4", more="five times")
OTHER = Figure("rate, 64 terminals", "events/s", 3.256e04, "a database", 7963.0, "more")
NEW = Figure("start", "s", 0.25, "peer", 2.0)
ADDED = Figure("start", "s", 0.25, "another peer", 1.0)


def test_a_table_is_read_as_it_was_written() -> None:
    latency = Figure(f"{OTHER.what}: saved to received", "ms", 27.0, "a database", 3.0)
    memory = Figure(f"{OTHER.what}: memory", "MB", 164.0, "without terminals", 115.0)
    figures = [OLD, ADDED, OTHER, latency, memory]
    assert "| … memory |" in as_markdown(figures)
    assert figures_in(as_markdown(figures)) == figures


def test_what_was_measured_again_takes_its_old_place_and_the_rest_stays() -> None:
    assert merge_figures([OLD, OTHER], [NEW, ADDED]) == [NEW, OTHER, ADDED]


def test_the_page_of_now_can_be_read() -> None:
    page = PAGE.read_text(encoding="utf-8")
    figures = figures_in(page)
    rows = [
        line
        for line in page.splitlines()
        if line.count("|") == 9 and not line.startswith(("| figure", "|---"))
    ]
    assert len(figures) == len(rows) > 20


REFUSES = Peer(
    "a peer that refuses",
    ("sh", "-c", "sleep 0.1; echo Failure; exit 2"),
    ("sh", "-c", "echo Its banner; echo; echo Refused by user; echo; exit 4"),
)


@pytest.mark.bench
def test_a_peer_that_refuses_a_file_is_an_error_with_its_last_words() -> None:
    with pytest.raises(RuntimeError, match="nothing arrived; Refused by user"):
        peer_share(REFUSES, 0.0, Effort(0.01))
    with pytest.raises(RuntimeError, match="nothing arrived; Refused by user"):
        after_cuts(REFUSES, Effort(0.01))
