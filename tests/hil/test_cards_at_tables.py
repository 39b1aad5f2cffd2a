"""From the station's pages to real terminals: a ZIP of cards, and a new version."""

import os
from pathlib import Path

import pytest

from demo.hall import JUDGE, JUDGE_PASSWORD, running_hall
from demo.judge import JudgeAtWork
from demo.pages import Pages
from demo.processes import free_port, poll_until_timeout, program
from tests.hil.card_hall import CARDS, CardHall
from tests.rigs.small_hall import SmallHall
from tests.sync.update.rig import NEW, head_for, image_in

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


PATIENCE_S = 60.0
PAYLOAD = os.urandom(3_000_000)


def page_says(pages: Pages, wanted: str) -> None:
    for _ in poll_until_timeout(PATIENCE_S, 0.1):
        if wanted in pages.get("/judge/updates/now").html:
            return


@pytest.mark.nightly
def test_a_version_goes_from_the_page_to_the_card_and_survives_kills_on_its_way(tmp_path: Path) -> None:
    place = image_in(tmp_path / "image")
    head = head_for(PAYLOAD)
    with running_hall(tmp_path, frozenset()) as (hall, processes):
        small = SmallHall(hall, processes, tmp_path)
        hall.start_station()
        hall.wait_for_station()
        small.judge.log_in(JUDGE, JUDGE_PASSWORD)
        (tmp_path / "table-1.toml").write_text(small.judge.provisioning(1))
        pages = Pages(hall.http)
        JudgeAtWork(pages).log_in(JUDGE, JUDGE_PASSWORD)

        def start_terminal() -> None:
            processes.start(
                "terminal-1", program("saloon-terminal"), "--data", str(tmp_path / "terminal-1"),
                "--provisioning", str(tmp_path / "table-1.toml"), "--virtual", str(free_port()),
                "--pins", "mock", "--system-root", str(place.root),
                extra={"RUNTIME_DIRECTORY": str(place.run)},
            )  # fmt: skip

        start_terminal()
        page = pages.get("/judge/updates")
        pages.send(page.form("/bring"), bundle=("new.saloon", head.data + PAYLOAD))
        page_says(pages, "0.2.0-a1b2c3d4")
        pages.send(pages.get("/judge/updates").form("/arm64/go"))
        for _ in poll_until_timeout(PATIENCE_S, 0.01):
            if any(part.stat().st_size > 50_000 for part in place.incoming.glob("*.part")):
                break
        processes.kill("terminal-1")
        processes.kill("station")
        start_terminal()
        hall.restart_station()
        hall.wait_for_station()
        page_says(pages, f"has {NEW.version}; will start it when the terminal is idle")
        assert (place.incoming / f"{head.manifest.name}.part").read_bytes() == PAYLOAD
        assert (place.incoming / f"{head.manifest.name}.head").read_bytes() == head.data
        assert (place.root / "run/saloon-terminal/drawn").exists()
        assert (place.root / "run/saloon-terminal/reached").exists()
        pages.close()
