"""The light behind the glass, on a folder as the kernel shows it."""

from pathlib import Path

from saloon.hardware.backlight import Backlight


def light(folder: Path, name: str, brightness: int, most: int = 255) -> Path:
    made = folder / name
    made.mkdir()
    (made / "brightness").write_text(f"{brightness}\n")
    (made / "max_brightness").write_text(f"{most}\n")
    return made / "brightness"


def test_it_is_bright_until_it_is_restored(tmp_path: Path) -> None:
    one, other = light(tmp_path, "10-0045", 80), light(tmp_path, "rpi", 12, 31)
    backlight = Backlight(tmp_path)
    backlight.brighten()
    backlight.brighten()
    assert (one.read_text(), other.read_text()) == ("255", "31")
    backlight.restore()
    assert (one.read_text(), other.read_text()) == ("80", "12")


def test_without_a_light_or_with_one_that_may_not_be_changed_nothing_happens(tmp_path: Path) -> None:
    for folder in (tmp_path / "none", tmp_path):
        backlight = Backlight(folder)
        (tmp_path / "broken").mkdir(exist_ok=True)
        backlight.brighten()
        backlight.restore()
    assert list((tmp_path / "broken").iterdir()) == []
