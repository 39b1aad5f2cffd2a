"""Real terminals that start from the cards of a real station's ZIP, as the judge's guide tells it.

``python -m tests.hil.card_hall 50`` measures how long so many take on this machine.
"""

import io
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import httpx

from demo.hall import Hall, running_hall
from demo.pages import Form
from demo.processes import Processes, free_port, poll_until_timeout, program

CARDS = "/judge/terminals/cards"
_PATIENCE_S = 60.0
_EACH_S = 6.0
_AT_A_TIME = 4
"""Programs of boards that start at the same moment; a hall has a processor for each, this machine has not."""


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


def main(tables: int) -> None:
    with (
        tempfile.TemporaryDirectory(prefix="saloon-cards-") as made,
        running_hall(Path(made), frozenset()) as (hall, processes),
    ):
        folder = Path(made)
        cards = CardHall(folder, hall, processes)
        cards.start_station()
        began = time.monotonic()
        cards.write_cards(tables)
        print(f"{tables} files as a ZIP, unpacked onto cards: {time.monotonic() - began:.1f} s")
        began = time.monotonic()
        for table in range(1, tables + 1):
            cards.switch_on(table)
            if table % _AT_A_TIME == 0:
                cards.wait_for(table - _AT_A_TIME)
        cards.wait_for(tables)
        print(f"{tables} terminals from switching on to connected: {time.monotonic() - began:.1f} s")
        cards.pages.close()


if __name__ == "__main__":
    main(int(sys.argv[1]))
