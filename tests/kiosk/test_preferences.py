"""The preferences of a terminal are restored, and an invalid file doesn't prevent playing."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.errors import BadData
from kiosk.preferences import Layout, PreferenceFile, Preferences, Theme, preferences_bytes, preferences_of

percents = st.integers(0, 100)
choices = st.builds(Preferences, brightness=percents, volume=percents)


@given(choices)
def test_preferences_are_read_as_they_were_written(preferences: Preferences) -> None:
    assert preferences_of(preferences_bytes(preferences), "here") == preferences


def test_keys_of_a_newer_version_are_left_out() -> None:
    assert preferences_of(b'{"language": "it", "perfume": "cedar"}', "here") == Preferences("it")


def test_a_file_from_before_high_contrast_is_still_read() -> None:
    before = b'{"language": "it", "theme": "dim", "layout": "keeper", "brightness": 40}'
    assert preferences_of(before, "here") == Preferences("it", Theme.DIM, Layout.KEEPER, brightness=40)


@pytest.mark.parametrize("content", [b"", b"[]", b'{"volume": 101}', b'{"theme": "neon"}', b"\xff"])
def test_a_wrong_file_is_named(content: bytes) -> None:
    with pytest.raises(BadData, match=r"preferences\.json"):
        preferences_of(content, "preferences.json")


def test_the_last_choice_survives_a_restart(tmp_path: Path) -> None:
    file = PreferenceFile(tmp_path)
    assert file.read() == Preferences()
    file.keep(Preferences("it"))
    file.keep(Preferences("it", Theme.CONTRAST, Layout.KEEPER, volume=0, muted=True))
    file.close()
    assert PreferenceFile(tmp_path).read() == Preferences(
        "it", Theme.CONTRAST, Layout.KEEPER, volume=0, muted=True
    )


def test_a_wrong_file_keeps_nobody_from_playing(tmp_path: Path) -> None:
    (tmp_path / "preferences.json").write_text("{ half", encoding="ascii")
    assert PreferenceFile(tmp_path).read() == Preferences()


def test_a_folder_that_is_gone_keeps_nobody_from_playing(tmp_path: Path) -> None:
    file = PreferenceFile(tmp_path / "gone")
    file.keep(Preferences("it"))
    file.close()
    assert file.read() == Preferences()
