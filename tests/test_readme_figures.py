"""What README says of speed and size is what the bench wrote down last."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from bench.__main__ import PAGE, figures_in

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (?P<what>[^|]+) \| (?P<here>[^|]+) \| (?P<beside>[^|]+) \|$", re.MULTILINE)
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


class Told(NamedTuple):
    """The number at a place of a README's row. times: the bench's unit in the README's."""

    row: str
    place: int
    figure: str
    times: float = 1


TOLD = (
    Told("touch to presented picture", 0, "touch to flip, p99"),
    Told("a terminal in a running game", 0, "idle in a running game"),
    Told("events of 64 terminals", 0, "64 terminals, 16 outstanding, TLS"),
    Told("one event, saved to received", 0, "saved to received, one event at a time, p99 (TLS)"),
    Told("1,000 terminals", 0, "1,000 terminals, one event a second each: saved to received, p99"),
    Told("1,000 terminals", 1, "1,000 terminals, one event a second each: memory of the station"),
    Told("bytes on the wire", 0, "bytes on the wire of an event, many at once"),
    Told("memory of a playing terminal", 0, "memory of a terminal that plays"),
    Told("memory of a playing terminal", 1, "memory of a station with two tables"),
    Told("a terminal's image", 0, "image on the card, arm64"),
    Told("written on a terminal's card", 0, "written on the card for a game", 1 / 1000),
    Told("written on a terminal's card", 2, "flushes of the card for a game"),
    Told("standings of 10,000 players", 0, "standings with Marogi, 10,000 players", 1 / 1000),
)


def numbers_of(row: str) -> list[str]:
    """The numbers of the README's row that begins so, from the second column on."""
    found = next(match for match in ROW.finditer(README) if match["what"].startswith(row))
    return NUMBER.findall(f"{found['here']} | {found['beside']}")


def rounded(value: float, like: str) -> float:
    """A value with as many digits as the number of the README."""
    digits = re.sub(r"[.,]", "", like).strip("0")
    return float(f"{value:.{max(len(digits), 1)}g}")


@pytest.mark.parametrize("told", TOLD, ids=lambda told: f"{told.row}, {told.place}")
def test_a_number_of_the_readme_is_the_benchs(told: Told) -> None:
    measured = next(f for f in figures_in(PAGE.read_text(encoding="utf-8")) if f.what == told.figure)
    number = numbers_of(told.row)[told.place]
    assert float(number.replace(",", "")) == rounded(measured.ours * told.times, number)


def test_every_row_of_the_readme_is_looked_at() -> None:
    table = README.split("## How fast, how large", 1)[1].split("##", 1)[0]
    rows = [match["what"] for match in ROW.finditer(table) if match["what"] != "figure"]
    assert all(any(row.startswith(told.row) for told in TOLD) for row in rows)
    assert len(rows) > 8
