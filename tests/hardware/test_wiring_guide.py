"""docs/setup/wiring.md and the drawn plans against the panel files that come with Saloon."""

import tomllib
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hardware.parts.outputs import RHYTHMS
from hardware.wiring import (
    DRIVERS_OF,
    HEADER,
    NONE,
    PLACE_OF,
    RESERVED,
    VIRTUAL,
    WORDS_OF,
    HeaderFunction,
    shipped_names,
    shipped_text,
    shipped_wiring,
    wiring_of,
)
from tools.wiring_plan import ground_for, plan_of
from tools.wiring_plan_svg import plan_svg

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = (DOCS / "setup" / "wiring.md").read_text(encoding="utf-8")
DRAWN = [name for name in shipped_names() if name not in {NONE, VIRTUAL}]
SVG = "{http://www.w3.org/2000/svg}"


def drawing(name: str) -> ET.Element:
    text = (DOCS / "pictures" / f"wiring-{name}.svg").read_text(encoding="utf-8")
    return ET.fromstring(text)


def pins_in(table: object, path: str = "") -> dict[str, int]:
    """Every GPIO number in a panel file, by its key."""
    pins: dict[str, int] = {}
    if isinstance(table, dict):
        for key, value in table.items():
            if isinstance(value, int) and key in {
                "pin",
                "lamp",
                "red",
                "green",
                "blue",
                "tacho",
                "power_lost",
                "low",
            }:
                pins[f"{path}{key}"] = value
            else:
                pins |= pins_in(value, f"{path}{key}.")
    return pins


@pytest.mark.parametrize("name", DRAWN)
def test_the_drawing_shows_every_wire_of_its_panel_file_and_no_other(name: str) -> None:
    wires = [wire for wire in drawing(name).iter(f"{SVG}g") if wire.get("class") == "wire"]
    signals = {int(wire.get("data-gpio", "")): wire for wire in wires if wire.get("data-gpio")}
    assert sorted(signals) == sorted(pins_in(tomllib.loads(shipped_text(name))).values())
    parts = {pin: part for part, pin in shipped_wiring(name).pins()}
    for gpio, wire in signals.items():
        assert int(wire.get("data-place", "")) == PLACE_OF[gpio]
        assert HEADER[PLACE_OF[gpio] - 1] == gpio
        words = [text.text for text in wire.iter(f"{SVG}text")]
        assert words[0] == parts[gpio] == wire.get("data-part")
        assert words[1]


@pytest.mark.parametrize("name", DRAWN)
def test_grounds_and_5_v_are_drawn_where_the_header_has_them(name: str) -> None:
    wires = [wire for wire in drawing(name).iter(f"{SVG}g") if wire.get("class") == "wire"]
    power = {
        int(wire.get("data-place", "")): wire.get("data-part") for wire in wires if not wire.get("data-gpio")
    }
    assert power
    assert all(
        HEADER[place - 1] == {"ground": "GND", "5 V": "5V"}[part or ""] for place, part in power.items()
    )


@pytest.mark.parametrize("name", DRAWN)
def test_the_drawings_in_the_docs_are_up_to_date_and_shown(name: str) -> None:
    drawn = (DOCS / "pictures" / f"wiring-{name}.svg").read_text(encoding="utf-8")
    assert drawn == plan_svg(plan_of(shipped_wiring(name))), "run: make wiring-plans"
    assert f"](../pictures/wiring-{name}.svg)" in GUIDE


@pytest.mark.parametrize("name", DRAWN)
def test_every_place_is_numbered_and_the_first_is_square(name: str) -> None:
    words = [text.text for text in drawing(name).iter(f"{SVG}text")]
    assert [word for word in words if word and word.isdigit()] == [str(place) for place in range(1, 41)]
    squares = [box for box in drawing(name).iter(f"{SVG}rect") if box.get("width") == box.get("height")]
    assert len(squares) == 1


def test_the_guide_names_the_panel_that_is_none() -> None:
    assert f"| `{NONE}` | any computer | – | everything is touched |" in GUIDE


@pytest.mark.parametrize("name", [*DRAWN, VIRTUAL])
def test_the_guide_names_every_panel_with_its_board_and_driver(name: str) -> None:
    board = shipped_wiring(name).board
    words = "any computer" if name == VIRTUAL else WORDS_OF[board]
    assert f"| `{name}` | {words} | `{DRIVERS_OF[board][0]}` |" in GUIDE


@pytest.mark.parametrize("use", HeaderFunction)
def test_the_guide_tells_whose_pins_are_kept(use: HeaderFunction) -> None:
    assert f"`{use.value}`" in GUIDE
    assert RESERVED[use].pins


def test_the_panel_file_of_the_guide_is_a_panel_file() -> None:
    example = next(block for block in GUIDE.split("```toml\n")[1:] if block.startswith("name ="))
    wiring = wiring_of(example.partition("```")[0], "docs/setup/wiring.md")
    assert None not in {wiring.key, wiring.lamp, wiring.buzzer, wiring.fan, wiring.battery, wiring.supply}


def test_a_part_has_the_nearest_ground() -> None:
    assert [ground_for(place) for place in (11, 29, 32, 33, 35)] == [9, 30, 30, 34, 34]


def test_all_three_colours_at_once_are_lit_by_some_message() -> None:
    # What the guide reckons with: 12 mA for the lamp.
    assert any(sum(colour) == 3 for rhythm in RHYTHMS.values() for colour, _ in rhythm.steps)
