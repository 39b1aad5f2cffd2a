from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from base.errors import BadData
from base.languages import LANGUAGES
from hardware.pins import PinDriver
from kiosk.terminal.startup_settings import StartupSettings, settings_in


def written(folder: Path, text: str) -> Path:
    file = folder / "terminal.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_what_a_file_says_is_taken_and_the_rest_is_usual(tmp_path: Path) -> None:
    file = written(tmp_path, 'data = "/d"\nboot_files = ["/a", "/b"]\nsize = [800, 480]\nsets_clock = true\n')
    assert settings_in(file) == StartupSettings(
        data=Path("/d"), boot_files=(Path("/a"), Path("/b")), size=(800, 480), sets_clock=True
    )


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("data = ", "not TOML"),
        ('pins = "lgpio"', "data"),
        ('data = "/d"\npin = "lgpio"', "pin"),
        ("data = 1", "data: "),
        ('data = "/d"\nboot_files = [2]', "boot_files[0]: "),
        ('data = "/d"\nvirtual = 65536', "virtual: must be a whole number, at most 65535"),
        ('data = "/d"\nsize = [800, 48]', "size[1]: must be a whole number, at least 320"),
        ('data = "/d"\ninches = 99', "inches: "),
        ('data = "/d"\nquarter_turns = 90', "quarter_turns: "),
        ('data = "/d"\nlanguage = "xx"', "language: 'xx' is not allowed; choose de, en, es, fr, it"),
        ('data = "/d"\npins = "gpio"', "pins: 'gpio' is not allowed; choose lgpio, mock, rpigpio"),
        ('data = "/d"\nscreen_within_s = -1', "screen_within_s: "),
    ],
)
def test_what_is_wrong_in_a_file_is_named(tmp_path: Path, text: str, named: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(BadData) as caught:
        settings_in(file)
    assert str(file) in str(caught.value)
    assert named in str(caught.value)


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadData, match=r"none\.toml: No such file"):
        settings_in(tmp_path / "none.toml")


def test_a_file_may_name_every_language_and_kind_of_pins() -> None:
    named = get_type_hints(StartupSettings)
    assert get_args(named["language"]) == ("", *LANGUAGES)
    assert set(get_args(named["pins"])) == {driver.value for driver in PinDriver}
