"""Record the README's animation: a table plays, High Noon begins, the floor page and a hall screen follow.

Everything is real: a station, its tables over TLS, their screens, and its pages in Chromium. Only the
captions and the fingertip are added. ``make moving-picture`` writes docs/pictures/saloon.webp; an argument
names another file.
"""

import contextlib
import io
import json
import shutil
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Page, expect, sync_playwright

from base.errors import Unavailable
from base.fonts import FOLDER as FONTS
from demo.hall import JUDGE, JUDGE_PASSWORD, Hall, Table, running_hall
from demo.judge import JudgeAtWork
from demo.processes import poll_until_timeout
from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.seen import Touch
from kiosk.rehearsal.terminal_client import TerminalClient
from tools.pictures_station import PLAYERS, QUIET
from tools.shown_pictures import shown_messages

OUT: Final = Path(__file__).parents[1] / "docs" / "pictures" / "saloon.webp"
MOST_BYTES: Final = 1_500_000
_TABLES: Final = 4
_SEATS: Final = 6
_SIZE: Final = (800, 480)
_BAR: Final = 48
_INK, _GOLD, _CREAM = (33, 24, 16), (222, 170, 66), (250, 240, 215)
_FINGER: Final = 26
_SEED: Final = 7
_SETTLE_S: Final = 0.8
"""The screen ignores a second tap at the same place for 0.7 s, and needs as long to paint a change."""


@dataclass
class Film:
    """The frames of the animation, with their durations, and the texts of the pages shown."""

    frames: list[Image.Image] = field(default_factory=list)
    durations_ms: list[int] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    place: str = ""
    caption: str = ""

    def add(self, picture: Image.Image, ms: int, finger: tuple[float, float] | None = None) -> None:
        """Add a frame, optionally with a fingertip at this place."""
        frame = Image.new("RGB", (_SIZE[0], _SIZE[1] + _BAR), _INK)
        pen, font = ImageDraw.Draw(frame), ImageFont.truetype(str(FONTS / "BarlowCondensed-Bold.ttf"), 28)
        pen.text((12, _BAR // 2), self.place, _GOLD, font, anchor="lm")
        pen.text((28 + pen.textlength(self.place, font), _BAR // 2), self.caption, _CREAM, font, anchor="lm")
        frame.paste(picture, (0, _BAR))
        if finger is not None:
            _draw_finger(frame, finger[0], finger[1] + _BAR)
        self.frames.append(frame)
        self.durations_ms.append(ms)

    def add_page(self, page: Page, ms: int) -> None:
        """Add a page as a frame."""
        page.wait_for_timeout(500)
        page.evaluate("document.querySelector('h1')?.scrollIntoView()")
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        self.add(picture.resize(_SIZE, Image.Resampling.LANCZOS), ms)
        self.lines += page.inner_text("body").splitlines()

    def save(self, path: Path) -> None:
        """Write the animation, which repeats for ever."""
        first, *rest = self.frames
        about = shown_messages(self.lines, "en").encode()
        first.save(
            path, save_all=True, append_images=rest, duration=self.durations_ms, loop=0, quality=80, method=6,
            xmp=about,
        )  # fmt: skip


def _draw_finger(frame: Image.Image, x: float, y: float) -> None:
    fine = 4
    mask = Image.new("L", (2 * _FINGER * fine, 2 * _FINGER * fine))
    pen = ImageDraw.Draw(mask)
    pen.ellipse((0, 0, mask.width - 1, mask.height - 1), fill=80, outline=255, width=3 * fine)
    soft = mask.resize((2 * _FINGER, 2 * _FINGER), Image.Resampling.LANCZOS)
    frame.paste((64, 150, 220), (round(x) - _FINGER, round(y) - _FINGER), soft)


class FilmedTable:
    """A virtual terminal to be recorded. ``door`` is its URL."""

    def __init__(self, door: str, film: Film) -> None:
        self._door = door
        self._client = TerminalClient(door)
        self._film = film

    def reach(self, scene: str) -> None:
        """Let simulated players play until a scene appears, which is not recorded."""
        brain = Brain(_SEED)
        for _ in poll_until_timeout(60, 0.05):
            with contextlib.suppress(Unavailable):
                seen = self._client.see()
                if seen.scene == scene:
                    return
                touch = brain.next_touch(seen)
                if touch is not None:
                    self._client.touch(touch)

    def play(self, *targets: str) -> None:
        """Touch targets one after another, which is not recorded."""
        for name in targets:
            time.sleep(_SETTLE_S)
            target = self._client.see().target(name)
            if target is None or not self._client.touch(Touch(name, 0, target.hold_ms)):
                raise RuntimeError(f"no {name} in {self._client.see()}")

    def film(self, name: str, before_ms: int, after_ms: int) -> None:
        """Touch a target, and record the fingertip on it and then the result."""
        shown: dict[str, Any] = json.loads(self._get("/screen.json"))
        left, top, width, height = next(one["rect"] for one in shown["targets"] if one["id"] == name)
        finger = left + width / 2, top + height / 2
        self._film.add(self._picture(), before_ms, finger)
        self.play(name)
        time.sleep(_SETTLE_S)
        self.look(after_ms)

    def look(self, ms: int) -> None:
        """Record the screen as it is."""
        self._film.add(self._picture(), ms)

    def has(self, name: str) -> bool:
        return self._client.see().target(name) is not None

    def _picture(self) -> Image.Image:
        return Image.open(io.BytesIO(self._get("/screen.png"))).convert("RGB")

    def _get(self, path: str) -> bytes:
        with urllib.request.urlopen(self._door + path, timeout=10) as answer:  # noqa: S310 (our own loopback)
            content: bytes = answer.read()
            return content


def main(out: Path) -> None:
    """Play, record and save. Exits with a message if the file is too large."""
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None:
        sys.exit("Chromium is missing: apt install chromium")
    film = Film()
    with (
        tempfile.TemporaryDirectory(prefix="saloon-film-") as folder,
        running_hall(Path(folder), frozenset()) as (hall, _),
        sync_playwright() as playwright,
    ):
        judge, tables = _started(hall)
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        floor = browser.new_page(
            base_url=hall.http, viewport={"width": 960, "height": 576}, device_scale_factor=2
        )
        screen = browser.new_page(viewport={"width": 800, "height": 480})
        _open_pages(floor, screen, f"/judge/t/{judge.tournament}")
        _film(film, FilmedTable(tables[0].door, film), floor, screen)
        browser.close()
    film.save(out)
    size = out.stat().st_size
    print(f"{out}: {size:,} bytes, {sum(film.durations_ms) / 1000:.1f} s, {len(film.frames)} frames")
    if size > MOST_BYTES:
        sys.exit(f"The moving picture is larger than {MOST_BYTES:,} bytes.")


def _started(hall: Hall) -> tuple[JudgeAtWork, list[Table]]:
    """Begin a round, with simulated players at every table but the first."""
    hall.start_station()
    judge = hall.enter_station()
    judge.open_tournament("Saturday at the Saloon", "championship-2022", "2026-11-21")
    listed = PLAYERS.read_text(encoding="utf-8").splitlines()[: _TABLES * _SEATS + 1]
    judge.register(PLAYERS.name, "\n".join(listed).encode())
    tables = [hall.start_terminal(number, judge.provisioning(number)) for number in range(1, _TABLES + 1)]
    for _ in poll_until_timeout(60):
        if judge.terminals().count('<td class="n"><strong>') == _TABLES:
            break  # a table that starts later would cause an alarm on the floor page
    judge.begin_round("cactus")
    for table in tables[1:]:
        hall.start_players(table, speed=5, seed=table.number, pin=judge.pin(table.number))
    return judge, tables


def _open_pages(floor: Page, screen: Page, base: str) -> None:
    """Open the floor page as the judge, and a hall screen as a spectator."""
    floor.goto("/login")
    floor.locator("input[name=name]").fill(JUDGE)
    floor.locator("input[name=password]").fill(JUDGE_PASSWORD)
    floor.locator("main button.main").click()
    floor.goto(f"{base}/projectors")
    floor.get_by_role("textbox", name="Name").fill("Hall")
    floor.get_by_role("button", name="Add a screen").click()
    floor.get_by_text("Keep one page on the screen").click()
    floor.get_by_role("button", name="tables in play").click()
    floor.get_by_text("Pages, text size, announcement").click()
    floor.get_by_label("Text size").select_option("far")
    floor.get_by_role("button", name="Save").click()
    link = floor.get_by_role("link", name="Open", exact=True).get_attribute("href")
    screen.goto(str(link))
    floor.goto(f"{base}/floor")


def _film(film: Film, table: FilmedTable, floor: Page, screen: Page) -> None:
    """Play and record the scenes. Seat 1 is the Sheriff."""
    table.reach("play")
    table.play(
        "seat-3-minus", "end-turn", "reshuffle", "seat-5-minus", "end-turn", "seat-1-minus", "end-turn"
    )
    table.play(
        "seat-2-minus",
        "end-turn",
        "seat-6-minus",
        "end-turn",
        "reshuffle",
        "end-turn",
        "seat-5-minus",
        "end-turn",
    )
    film.place, film.caption = "At the table", "a tap for each life point and each turn"
    table.look(1000)
    table.film("seat-3-minus", 400, 600)
    table.film("end-turn", 400, 500)
    film.caption = "the third reshuffle of the discard pile …"
    table.film("reshuffle", 500, 1200)
    film.caption = "… brings High Noon, one round later"
    for _ in range(5):
        table.film("end-turn", 200, 200)
    film.caption = "High Noon! From now on every turn costs a life point"
    table.look(1800)
    film.place, film.caption = "The judge", "sees every table, live"
    expect(floor.locator("#table-1")).to_contain_text("High Noon")
    film.add_page(floor, 2000)
    film.place, film.caption = "At the table", "an elimination: who did it, and which role is out?"
    while not table.has("eliminated"):
        table.film("seat-3-minus", 250, 250)
    for name in ("eliminated", "by-seat-2", "role-outlaw"):
        table.film(name, 450, 550)
    film.place, film.caption = "The judge", "sees it at once"
    expect(floor.locator("#table-1")).to_contain_text("Outlaw")
    film.add_page(floor, 1600)
    film.place, film.caption = "The hall", "follows on screens that show nothing secret"
    expect(screen.locator(".page.now")).to_contain_text("5 of 6 in play")
    film.add_page(screen, 2200)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else OUT)
