"""From the station's pages to real terminals: a ZIP of cards, and a new version."""

import io
import os
import zipfile
from pathlib import Path

import httpx
import pytest

from demo.hall import JUDGE, JUDGE_PASSWORD, Hall, running_hall
from demo.judge import JudgeAtWork
from demo.pages import Form, Pages
from demo.processes import Processes, free_port, poll_until_timeout, program
from tests.rigs.small_hall import SmallHall
from tests.sync.update.rig import NEW, head_for, image_in

pytestmark = pytest.mark.hil
CARDS = "/judge/terminals/cards"
_PATIENCE_S = 60.0
_EACH_S = 6.0


class CardHall:
    """A station and boards with cards. folder: of everything."""

    def __init__(self, folder: Path, hall: Hall, processes: Processes) -> None:
        self._folder = folder
        self._hall = hall
        self._processes = processes
        self.pages = hall.judge.pages
        self.doors: dict[int, str] = {}

    def start_station(self) -> None:
        self._hall.start_station()
        self._hall.enter_station()

    def write_cards(self, tables: int) -> None:
        page = self.pages.get(CARDS)
        form = page.form("/settings")
        form = Form(f"{CARDS}/files", "post", form.fields)
        typed = {"tables": f"1-{tables}", "wifi-name": "Hall", "wifi-password": "under the stairs"}
        content = self.pages.send_for_file(form, typed)
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for table in range(1, tables + 1):
                self.card(table).parent.mkdir(parents=True)
                self.card(table).write_bytes(archive.read(f"table-{table:02}/saloon.toml"))

    def card(self, table: int) -> Path:
        """The file on a card, as a computer sees it."""
        return self._folder / f"board-{table}" / "card" / "saloon.toml"

    def switch_on(self, table: int) -> None:
        """Do as the image does: take the file apart as root, then start the terminal."""
        board = self._folder / f"board-{table}"
        data, system = board / "data", board / "system"
        data.mkdir(exist_ok=True)
        taken = (
            program("saloon-terminal"), "boot-file", str(self.card(table)), str(data / "boot.toml"),
            "--system", str(system),
        )  # fmt: skip
        # A wrong file is told on the screen, and the terminal starts all the same.
        port = free_port()
        self.doors[table] = f"http://127.0.0.1:{port}"
        terminal = (
            program("saloon-terminal"), "--data", str(data), "--boot-file", str(data / "boot.toml"),
            "--boot-file", str(self.card(table)), "--virtual", str(port), "--pins", "mock",
        )  # fmt: skip
        both = ("/bin/sh", "-c", _one_after_the_other(len(taken)), "board", str(self.card(table)))
        self._processes.start(f"terminal-{table}", *both, *taken, *terminal)

    def switch_off(self, table: int) -> None:
        self._processes.kill(f"terminal-{table}")

    def says(self, table: int) -> str:
        """All words on a terminal's screen; none while it starts."""
        try:
            answer = httpx.get(f"{self.doors[table]}/screen.json", timeout=5)
        except httpx.TransportError:
            return ""
        return " ".join(answer.json()["says"])

    def connected(self) -> int:
        return self.pages.get("/judge/terminals").html.count('class="link tcp"')

    def wait_for(self, tables: int) -> None:
        """Go on until so many are connected."""
        for _attempt in poll_until_timeout(_PATIENCE_S + _EACH_S * tables, 0.5):
            self._processes.check()
            if self.connected() >= tables:
                return


def _one_after_the_other(length: int) -> str:
    """A program of the shell: the first words only where the file is there, then the rest in its place."""
    words = " ".join(f'"${{{number}}}"' for number in range(2, length + 2))
    return f'test ! -e "$1" || {words}; shift {length + 1}; exec "$@"'


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
