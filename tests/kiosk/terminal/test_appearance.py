"""The order of precedence for a terminal's appearance: people, command line, file on the card."""

import contextlib
from pathlib import Path

import pytest

from kiosk.preferences import Choices, Preferences
from kiosk.terminal.composition import Appearance, appearance_of
from kiosk.terminal.display_startup import open_screen
from kiosk.terminal.startup_settings import settings_from
from sync.enrolment.provisioning import Provisioning, StationPart, TerminalPart, text_of
from sync.terminal.station_record import StationRecord
from sync.tls.certificates import generate_certificate

STATION = StationPart(generate_certificate("station")[1], ("192.0.2.1:7373",))
AS_IT_COMES = Appearance("en", 0, None)
ITALIAN = TerminalPart("once", language="it", rotation=270, inches=10.1)


def looks(data: Path, *files: Path, language: str = "", turns: int | None = None) -> Appearance:
    return appearance_of(
        settings_from({"data": data, "boot_files": files, "language": language, "quarter_turns": turns})
    )


@pytest.fixture
def card(tmp_path: Path) -> Path:
    file = tmp_path / "saloon.toml"
    file.write_text(text_of(Provisioning(STATION, ITALIAN)), encoding="utf-8")
    return file


def test_the_file_wins_over_what_a_terminal_comes_with(tmp_path: Path, card: Path) -> None:
    assert looks(tmp_path) == AS_IT_COMES
    assert looks(tmp_path, card) == Appearance("it", 3, 10.1)
    assert looks(tmp_path, tmp_path / "none.toml", card) == Appearance("it", 3, 10.1)


def test_the_command_line_wins_over_the_file(tmp_path: Path, card: Path) -> None:
    assert looks(tmp_path, card, language="de", turns=0) == Appearance("de", 0, 10.1)


def test_what_people_chose_wins_over_both(tmp_path: Path, card: Path) -> None:
    spoken = looks(tmp_path, card).language
    assert Choices(spoken).words.language == "it"
    assert Choices(spoken, Preferences(language="fr")).words.language == "fr"


def test_it_holds_at_every_later_start_and_at_other_stations(tmp_path: Path, card: Path) -> None:
    belonging = StationRecord(tmp_path)
    belonging.import_file(card, moves=True)
    assert looks(tmp_path, card) == Appearance("it", 3, 10.1)
    belonging.forget_token()
    assert looks(tmp_path, card) == Appearance("it", 3, 10.1)
    belonging.save_joined(generate_certificate("another")[1], ("192.0.2.2:7373",), "/dev/ttyUSB0")
    assert looks(tmp_path, card) == Appearance("it", 3, 10.1)


def test_a_wrong_file_leaves_it_as_it_was(tmp_path: Path, card: Path) -> None:
    StationRecord(tmp_path).import_file(card, moves=True)
    card.write_text("[terminal]\nrotation = 45\n", encoding="utf-8")
    assert looks(tmp_path, card) == Appearance("it", 3, 10.1)
    (tmp_path / "provisioning.toml").write_text("rubbish", encoding="utf-8")
    assert looks(tmp_path, card) == AS_IT_COMES


def test_a_picture_without_a_size_is_as_large_as_usual_where_there_is_no_panel() -> None:
    with contextlib.ExitStack() as parts:
        screen, _display = open_screen(parts, None, 1, is_virtual=True, inches=10.1)
        assert screen.surface.get_size() == (480, 800)
