import tomllib
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.contract import PanelButton, WiringFault
from hardware.part_wiring import ButtonWiring
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
    default_panel,
    own_model,
    read_wiring,
    reserved_pins,
    shipped_names,
    shipped_text,
    shipped_wiring,
    wiring_named,
    wiring_of,
)
from tools.wiring_plan import ground_for, plan_of
from tools.wiring_plan_svg import plan_svg


def test_the_virtual_panel_has_buttons_with_lamps_key_lamp_and_buzzer_and_leaves_all_else_alone() -> None:
    virtual = shipped_wiring()
    assert dict(virtual.pins()) == {
        "button reshuffle": 17,
        "button end-turn": 27,
        "button call-judge": 22,
        "button shut-down": 3,
        "lamp in reshuffle": 24,
        "lamp in end-turn": 25,
        "lamp in call-judge": 12,
        "key": 23,
        "lamp red": 5,
        "lamp green": 6,
        "lamp blue": 13,
        "buzzer": 19,
    }
    assert (virtual.backlight, virtual.fan, virtual.battery, virtual.supply) == (None, None, None, None)


@pytest.mark.parametrize("name", sorted(set(shipped_names()) - {NONE}))
def test_every_shipped_panel_is_checked_and_names_its_board(name: str) -> None:
    wiring = wiring_named(name)
    assert set(wiring.buttons) == {button.value for button in PanelButton}
    assert wiring.board.value in {*name.split("bare-"), name[:4], "virtual"}
    assert set(dict(wiring.pins()).values()).isdisjoint(reserved_pins(wiring.uses))


@pytest.mark.parametrize(
    ("driver", "model", "name"),
    [
        ("mock", "Raspberry Pi Compute Module 9", "virtual"),
        ("rpigpio", "Raspberry Pi Compute Module 9", "bare-pi-4"),
        ("lgpio", "Raspberry Pi Compute Module 9", "bare-pi-5"),
        ("lgpio", "Raspberry Pi 4 Model B Rev 1.5", "bare-pi-4"),
        ("lgpio", "Raspberry Pi 5 Model B Rev 1.0", "bare-pi-5"),
        ("lgpio", "Raspberry Pi 3 Model B Plus Rev 1.3", "bare-pi-3"),
        ("rpigpio", "Raspberry Pi 3 Model B Plus Rev 1.3", "bare-pi-3"),
        ("lgpio", "Raspberry Pi Zero 2 W Rev 1.0", "bare-pi-5"),
        ("lgpio", "linux,dummy-virt", "none"),
        ("mock", "Raspberry Pi 4 Model B Rev 1.5", "virtual"),
    ],
)
def test_where_nobody_named_a_panel_the_board_does_and_else_the_driver(
    driver: str, model: str, name: str
) -> None:
    assert default_panel(driver, model) == name


@pytest.mark.parametrize("name", sorted(set(shipped_names()) - {NONE, VIRTUAL}))
def test_every_board_is_driven_by_lgpio_as_rpi_gpio_hears_no_button_on_new_kernels(name: str) -> None:
    assert DRIVERS_OF[wiring_named(name).board][0] == "lgpio"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[lamp] # over the table\nred = 2\ngreen = 2\nblue = 3", ":4"),
        ("lamp = { red = 2, green = 2, blue = 3 }", ":2"),
        ("key.pin = 99", ":2"),
        (
            "uses = ['rs485-hat']\n\n[key]\npin = 14",
            ":5: key.pin: pin 14 is kept for the RS-485 HAT; free are 2, 3, 5.*take .rs485-hat. out of uses",
        ),
        ("[key]\n  pin = 0", ":3: key.pin: pin 0 is kept for the memory chip"),
        ("uses = ['i2c']\n[buttons.shut-down]\npin = 3", ":4: buttons.shut-down.pin: .*kept for I2C"),
        ("key = {pin = 5}\n[buzzer]\n# loud\npin = 5", ":5: buzzer.pin: pin 5 is already the one of key"),
        ("[lamp]\nred = 5\ngreen = 5\nblue = 6", ":4: .*pin 5 is already the one of lamp red"),
        ("[fan]\npin = 5\noff_c = 70", ":4: fan.off_c: .*must stop cooler"),
        ("[battery]\nkind = 'pins'", ":3: battery.kind: .*needs power_lost = PIN"),
        ("[battery]\nkind = 'kernel'\nlow = 4", ":3: battery.kind: .*belong to kind"),
        ("[battery]\nkind = 'max17040'", ":3: battery.kind: .*add .i2c. to uses"),
        ("[key]\n\npin = '17'", ":4: key.pin: must be a whole number; it is a text"),
        ("pin 4", ".*not TOML.*line 2"),
        ("colour = 1", ".*there is no `colour` here"),
        ("[key]\npin = 28", r".*key\.pin: must be a whole number, at most 27"),
        ("[key]\npin = -1", r".*key\.pin: must be a whole number, at least 0"),
        (
            "[buzzer]\npin = 4\nsound = 'loud'",
            r".*buzzer\.sound: 'loud' is not allowed; choose active, passive",
        ),
        ("[lamp]\nred = 5\ngreen = 6", ".*lamp: `blue` is missing"),
        ("[buttons.reshuffle]\npin = 4\nhold_ms = 0", ".*hold_ms: must be a whole number, at least 100"),
        ("[buttons.bang]\npin = 4", ".*no such button; there are call-judge"),
        (
            "buttons.reshuffle.pin = 4\n[buttons.end-turn]\npin = 99",
            r":4: buttons\.end-turn\.pin: must be a whole number, at most 27",
        ),
        (
            "buttons.reshuffle.pin = 4\n[buttons.end-turn]\npni = 3",
            r":3: buttons\.end-turn: there is no `pni` here",
        ),
    ],
)
def test_a_wrong_file_is_named_with_line_key_and_what_is_allowed(text: str, said: str) -> None:
    with pytest.raises(WiringFault, match=f"^panel.toml{said}"):
        wiring_of(f"name = 'x'\n{text}\n", "panel.toml")


def test_an_empty_file_has_no_name() -> None:
    with pytest.raises(WiringFault, match=r"^panel.toml: .*`name` is missing"):
        wiring_of("", "panel.toml")


@pytest.mark.parametrize("driver", ["rpigpio", "lgpio"])
def test_a_computer_that_is_no_board_has_no_panel_and_nothing_that_could_be_broken(driver: str) -> None:
    wiring = wiring_named(default_panel(driver))
    assert wiring.name == "no panel"
    assert wiring.pins() == ()


def test_the_model_is_what_the_kernel_says(tmp_path: Path) -> None:
    file = tmp_path / "model"
    assert own_model(file) == ""
    file.write_bytes(b"Raspberry Pi 4 Model B Rev 1.5\0")
    assert own_model(file) == "Raspberry Pi 4 Model B Rev 1.5"


def test_a_panel_is_named_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('name = "own"', encoding="utf-8")
    assert wiring_named(str(file)).name == "own"
    assert wiring_named("bare-pi-5").name == "bare Pi 5 with wires"


def test_the_header_is_the_one_that_gpiozero_knows() -> None:
    pins = MockFactory().board_info.headers["J8"].pins
    for place, what in enumerate(HEADER, 1):
        assert pins[place].name == (what if isinstance(what, str) else f"GPIO{what}")


def test_every_part_may_be_left_out() -> None:
    wiring = wiring_of('name = "one button"\n[buttons.reshuffle]\npin = 4\nhold_ms = 500\n', "x")
    assert wiring.buttons == {"reshuffle": ButtonWiring(4, to_ground=True, hold_ms=500)}
    assert (wiring.key, wiring.lamp, wiring.buzzer) == (None, None, None)
    assert wiring_of('name = "nothing"', "x").pins() == ()


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(WiringFault, match=r"no\.toml: No such file or directory; choose .*virtual"):
        read_wiring(tmp_path / "no.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(WiringFault, match=r"binary\.toml: byte 1 is not UTF-8; save"):
        read_wiring(tmp_path / "binary.toml")


def test_an_unknown_panel_says_which_there_are() -> None:
    with pytest.raises(WiringFault, match="panel deluxe: no such panel; choose bare-pi"):
        shipped_wiring("deluxe")


DOCS = Path(__file__).parents[2] / "docs"
GUIDE = (DOCS / "setup" / "wiring.md").read_text(encoding="utf-8")
DRAWN = [name for name in shipped_names() if name not in {NONE, VIRTUAL}]
SVG = "{http://www.w3.org/2000/svg}"


def drawing(name: str) -> ET.Element:
    text = (DOCS / "pictures" / f"wiring-{name}.svg").read_text(encoding="utf-8")
    return ET.fromstring(text)


PIN_KEYS = {"pin", "lamp", "red", "green", "blue", "tacho", "power_lost", "low"}


def pins_in(table: object) -> list[int]:
    """Return every GPIO number in a panel file."""
    if not isinstance(table, dict):
        return []
    direct = [value for key, value in table.items() if isinstance(value, int) and key in PIN_KEYS]
    return [*direct, *(pin for value in table.values() for pin in pins_in(value))]


def wires_on(name: str) -> list[ET.Element]:
    return [wire for wire in drawing(name).iter(f"{SVG}g") if wire.get("class") == "wire"]


@pytest.mark.parametrize("name", DRAWN)
def test_the_drawing_shows_every_wire_of_its_panel_file_and_no_other(name: str) -> None:
    signals = {int(wire.get("data-gpio", "")): wire for wire in wires_on(name) if wire.get("data-gpio")}
    assert sorted(signals) == sorted(pins_in(tomllib.loads(shipped_text(name))))
    parts = {pin: part for part, pin in shipped_wiring(name).pins()}
    for gpio, wire in signals.items():
        assert int(wire.get("data-place", "")) == PLACE_OF[gpio]
        assert HEADER[PLACE_OF[gpio] - 1] == gpio
        words = [text.text for text in wire.iter(f"{SVG}text")]
        assert words[0] == parts[gpio] == wire.get("data-part")
        assert words[1]


@pytest.mark.parametrize("name", DRAWN)
def test_grounds_and_5_v_are_drawn_where_the_header_has_them(name: str) -> None:
    power = [wire for wire in wires_on(name) if not wire.get("data-gpio")]
    assert power
    for wire in power:
        there = HEADER[int(wire.get("data-place", "")) - 1]
        assert there == {"ground": "GND", "5 V": "5V"}[wire.get("data-part", "")]


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
