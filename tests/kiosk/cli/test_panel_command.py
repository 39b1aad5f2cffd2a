from pathlib import Path

import pytest
from click.testing import CliRunner

from hardware.wiring import shipped_names, shipped_wiring
from kiosk.cli.main import main


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
