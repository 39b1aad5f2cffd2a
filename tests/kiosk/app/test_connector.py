from pathlib import Path

import pytest

from saloon.kiosk.app.connector import connected_card


@pytest.mark.parametrize(
    ("connectors", "card"),
    [
        ({}, None),
        ({"card0-HDMI-A-1": "disconnected", "card1-DSI-1": "connected"}, 1),
        ({"card0-DSI-1": "connected", "card1-HDMI-A-1": "disconnected"}, 0),
        ({"card0-HDMI-A-1": "connected", "card1-DSI-1": "connected"}, 1),
        ({"card1-HDMI-A-2": "connected", "card0-HDMI-A-1": "connected"}, 0),
        ({"card0-Virtual-1": "connected", "card10-eDP-1": "connected"}, 10),
        ({"card0-Writeback-1": "unknown", "card0-HDMI-A-1": "disconnected"}, None),
    ],
)
def test_the_card_is_the_one_that_a_screen_hangs_on(
    tmp_path: Path, connectors: dict[str, str], card: int | None
) -> None:
    for other in ("card0", "card1", "renderD128", "version"):
        (tmp_path / other).mkdir()
    for name, status in connectors.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "status").write_text(status + "\n")
    assert connected_card(tmp_path) == card


def test_a_machine_without_graphics_has_none(tmp_path: Path) -> None:
    assert connected_card(tmp_path / "drm") is None
