"""The light behind the glass, on a folder as the kernel shows it."""

from pathlib import Path

import pytest

from hardware.parts.outputs import Backlight, NoBacklight


def light(folder: Path, name: str, brightness: int, most: int = 255) -> Path:
    made = folder / name
    made.mkdir()
    (made / "brightness").write_text(f"{brightness}\n")
    (made / "max_brightness").write_text(f"{most}\n")
    return made / "brightness"


@pytest.mark.parametrize(("percent", "written"), [(0, "0"), (1, "1"), (40, "12"), (100, "31"), (130, "31")])
def test_it_is_so_bright_as_people_want_and_only_dark_when_asked(
    tmp_path: Path, percent: int, written: str
) -> None:
    panel = light(tmp_path, "10-0045", 20, most=31)
    Backlight(tmp_path).set(percent)
    assert panel.read_text(encoding="ascii") == written


def test_a_named_light_is_the_only_one_that_changes(tmp_path: Path) -> None:
    mine, other = light(tmp_path, "panel", 20), light(tmp_path, "acpi", 20)
    Backlight(tmp_path, "panel").set(100)
    assert mine.read_text(encoding="ascii") == "255"
    assert other.read_text(encoding="ascii").strip() == "20"


def test_no_light_and_one_that_cannot_be_written_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(NoBacklight, match="no backlight in"):
        Backlight(tmp_path).set(50)
    panel = light(tmp_path, "panel", 20)
    panel.unlink()
    panel.mkdir()
    with pytest.raises(NoBacklight, match="backlight panel: "):
        Backlight(tmp_path).set(50)
