"""docs/wiring.md against the panel file that comes with Saloon and gpiozero's map of the header."""

import re
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from saloon.hardware.patterns import RHYTHMS
from saloon.hardware.wiring import shipped_wiring

GUIDE = (Path(__file__).parents[2] / "docs" / "wiring.md").read_text(encoding="utf-8")
PLAN = GUIDE.partition("```text\n")[2].partition("```")[0]
TABLE_ROW = re.compile(r"^\| ([^|]+) \| (\d+|–) \| ([\d, ]+) \| ([^|]+) \|$", re.MULTILINE)
PLAN_ROW = re.compile(r"(\w+)?\s+(\d+) · · (\d+)(?:\s+(5 V|\w+))?")


@pytest.fixture(scope="module")
def header() -> dict[int, str]:
    """What lies on each place of the 40-pin header."""
    board = MockFactory().board_info
    return {place: pin.name for place, pin in board.headers["J8"].pins.items()}


def table() -> dict[str, tuple[str, tuple[int, ...], str]]:
    return {
        part: (gpio, tuple(map(int, places.split(","))), wired)
        for part, gpio, places, wired in TABLE_ROW.findall(GUIDE)
    }


def test_the_table_names_every_part_of_the_shipped_panel_with_its_pin(header: dict[int, str]) -> None:
    rows = table()
    assert list(rows) == [*dict(shipped_wiring().pins()), "ground", "5 V"]
    for part, gpio in shipped_wiring().pins():
        number, places, _ = rows[part]
        assert int(number) == gpio
        assert [header[place] for place in places] == [f"GPIO{gpio}"]
    assert {header[place] for place in rows["ground"][1]} == {"GND"}
    assert {header[place] for place in rows["5 V"][1]} == {"5V"}


def test_the_plan_shows_the_whole_header_and_agrees_with_the_table(header: dict[int, str]) -> None:
    drawn: dict[int, str] = {}
    places = []
    for left, odd, even, right in PLAN_ROW.findall(PLAN):
        places += [int(odd), int(even)]
        for place, label in ((int(odd), left), (int(even), right)):
            if label.isdigit():
                drawn[place] = f"GPIO{label}"
            elif label in {"GND", "3V3", "5 V"}:
                drawn[place] = label.replace(" ", "")
    assert places == list(range(1, 41))
    assert drawn == {place: header[place] for place in drawn}
    wanted = {place for _, row, _ in table().values() for place in row}
    assert wanted <= set(drawn)


def test_every_output_is_wired_with_what_keeps_the_pin_whole() -> None:
    wired = {part: how for part, (_, _, how) in table().items()}
    assert all("330 Ω" in wired[f"lamp {colour}"] for colour in ("red", "green", "blue"))
    assert "transistor" in wired["buzzer"]
    assert PLAN.count("[330 Ω]") == 3
    assert "NPN transistor" in PLAN
    assert all("ground" in wired[part] for part in wired if part.startswith(("button", "key")))


def test_all_three_colours_at_once_are_lit_by_some_message() -> None:
    # What the guide reckons with: 12 mA for the lamp.
    assert any(sum(colour) == 3 for rhythm in RHYTHMS.values() for colour, _ in rhythm.steps)


@pytest.mark.parametrize("part", ["buttons.reshuffle", "buttons.end-turn", "buttons.call-judge"])
def test_buttons_and_key_close_to_ground_as_drawn(part: str) -> None:
    wiring = shipped_wiring()
    assert wiring.buttons[part.partition(".")[2]].to_ground
    assert wiring.key is not None
    assert wiring.key.to_ground
    assert wiring.lamp is not None
    assert wiring.lamp.active_high
    assert wiring.buzzer is not None
    assert wiring.buzzer.active_high
