"""From the station's page of cards to terminals that are connected: real programs, a real ZIP."""

from pathlib import Path

import pytest

from demo.hall import running_hall
from demo.processes import poll_until_timeout
from tests.hil.card_hall import CARDS, CardHall

pytestmark = pytest.mark.hil


@pytest.mark.nightly
def test_every_card_of_the_zip_makes_a_table_and_a_wrong_one_says_its_line(tmp_path: Path) -> None:
    with running_hall(tmp_path, frozenset()) as (hall, processes):
        cards = CardHall(tmp_path, hall, processes)
        cards.start_station()
        cards.write_cards(2)
        wrong = cards.card(2)
        right = wrong.read_text(encoding="utf-8")
        wrong.write_text(right.replace("table = 2", "table = 2\nrotatoin = 90"), encoding="utf-8")
        for table in (1, 2):
            cards.switch_on(table)
        for _attempt in poll_until_timeout(60, 0.5):
            if "unknown key; did you mean rotation?" in cards.says(2):
                break
        assert "rotatoin = 90" in cards.says(2)
        assert wrong.exists()
        cards.wait_for(1)
        # Nothing secret stays where every computer can read it, and the Wi-Fi is for the system alone.
        assert not cards.card(1).exists()
        board = cards.card(1).parents[1]
        assert "under the stairs" not in (board / "data" / "provisioning.toml").read_text(encoding="utf-8")
        assert any("under the stairs" in file.read_text() for file in (board / "system").iterdir())
        # The card is mended in a computer, and put back.
        cards.switch_off(2)
        wrong.write_text(right, encoding="utf-8")
        cards.switch_on(2)
        cards.wait_for(2)
        assert cards.pages.get(CARDS).html.count("badge accepted") == 2
        cards.pages.close()
