"""The table of figures in the docs: a bench that is run alone leaves the others' rows as they are."""

from bench.__main__ import PAGE, as_markdown, figures_in, merge_figures
from bench.figure import Figure

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
