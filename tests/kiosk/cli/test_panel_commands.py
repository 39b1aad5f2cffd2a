"""The commands about a panel."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from gpiozero.pins.mock import MockFactory

from base.clock import SystemClock
from hardware.contract import Heat, PanelButton, PartFailed
from hardware.panel import PinPanel
from hardware.part_wiring import ButtonWiring, BuzzerWiring, KeyWiring, LampWiring
from hardware.wiring import Wiring, shipped_names, shipped_wiring
from kiosk.cli.main import main
from kiosk.cli.panel_commands import Bench


def test_the_panels_that_come_with_saloon_are_listed_with_board_and_driver() -> None:
    done = CliRunner().invoke(main, ["panel"])
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.output.splitlines()] == [*shipped_names()]
    assert "bare-pi-5     bare Pi 5 with wires (Raspberry Pi 5), --pins lgpio" in done.output


@pytest.mark.parametrize("name", shipped_names())
def test_a_plan_shows_every_part_at_its_pin(name: str) -> None:
    done = CliRunner().invoke(main, ["panel", name])
    assert done.exit_code == 0
    for part, pin in shipped_wiring(name).pins():
        assert any(
            f"{part} GPIO {pin} " in line or f"GPIO {pin} {part}" in line for line in done.output.splitlines()
        )


def test_a_wrong_file_ends_with_line_key_and_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('name = "own"\n[key]\npin = 1\n', encoding="utf-8")
    done = CliRunner().invoke(main, ["panel", str(file)])
    assert done.exit_code == 2
    assert f"{file}:3: key.pin: pin 1 is kept for the memory chip of a HAT; free are" in done.stderr
    assert CliRunner().invoke(main, ["panel", "deluxe"]).exit_code == 2


WIRING = Wiring(
    "x",
    {"reshuffle": ButtonWiring(17, lamp=24), "end-turn": ButtonWiring(27)},
    KeyWiring(23),
    LampWiring(5, 6, 13),
)


@pytest.fixture
def make_panel() -> Iterator[Callable[..., PinPanel]]:
    made: list[PinPanel] = []

    def make(wiring: Wiring = WIRING, lost: tuple[PartFailed, ...] = ()) -> PinPanel:
        gauges = {"heat": lambda: Heat(48)}
        made.append(
            PinPanel(
                wiring, MockFactory(), SystemClock().monotonic_ms, gauges=gauges, owns_factory=True, lost=lost
            )
        )
        return made[-1]

    yield make
    for panel in made:
        panel.close()


class Hands(threading.Thread):
    """Simulated hands that press each button and turn the key repeatedly until the test is over."""

    def __init__(self, panel: PinPanel) -> None:
        super().__init__(daemon=True)
        self._panel = panel
        self.ended = threading.Event()

    def run(self) -> None:
        on = False
        while not self.ended.wait(0.16):
            on = not on
            self._panel.turn_key(on=on)
            for button in (PanelButton.RESHUFFLE, PanelButton.END_TURN):
                self._panel.press(button)


@pytest.mark.slow
def test_every_part_that_works_is_found_fine(make_panel: Callable[..., PinPanel]) -> None:
    panel, questions = make_panel(), []

    def asks(words: str) -> bool:
        questions.append(words)
        return "blue" not in words

    panel.look()
    hands = Hands(panel)
    hands.start()
    results = dict(Bench(panel, 5.0, asks).results())
    hands.ended.set()
    hands.join()
    assert results == {
        "button reshuffle": True, "button end-turn": True, "key": True,
        "lamp red, blinking": True, "lamp green": True, "lamp blue": False, "lamp white": True,
    }  # fmt: skip
    assert len(questions) == 4


def test_what_nobody_presses_does_not_work_and_what_failed_is_not_asked_for(
    make_panel: Callable[..., PinPanel],
) -> None:
    panel = make_panel(
        Wiring("x", {"reshuffle": ButtonWiring(17)}, buzzer=BuzzerWiring(19)),
        lost=(PartFailed("buzzer", "burnt"),),
    )
    assert dict(Bench(panel, 0.05, lambda _: True).results()) == {"buzzer": False, "button reshuffle": False}


def test_the_command_ends_by_what_it_found() -> None:
    done = CliRunner().invoke(main, ["selftest", "--pins", "mock", "--wait", "0.01"], input="y\n" * 5)
    assert done.exit_code == 1
    assert "✗ button reshuffle" in done.output
    assert "✓ lamp green" in done.output
    assert CliRunner().invoke(main, ["selftest", "--panel", "deluxe"]).exit_code == 2
