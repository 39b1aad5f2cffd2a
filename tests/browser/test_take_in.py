"""A table that lost its line: its real screen, photographed, brings its game to the real station, once."""

import io
import json
import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, Playwright, expect

from demo.hall import running_hall
from demo.processes import free_port, poll_until_timeout
from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.seen import Touch
from kiosk.rehearsal.terminal_client import TerminalClient
from sync.tls.certificates import fingerprint_of_pem, generate_certificate
from tests.browser.conftest import QUIET, log_in
from tests.rigs.small_hall import SmallHall

pytestmark = [pytest.mark.browser, pytest.mark.nightly]
PATIENCE_S = 60.0


class AwayTable:
    """Table 1 of a small hall: once it knows its players its station is where it cannot find it."""

    def __init__(self, hall: SmallHall) -> None:
        self.hall = hall
        self.table = hall.tables[0]
        self.door = TerminalClient(self.table.door)
        self._file = hall.directory / "table-1.toml"
        self._true = self._file.read_text()
        self._pin = hall.judge.pin(1)

    def loses_its_line(self) -> None:
        """It looks for another station: the hall's own would be found by what it calls into the hall."""
        elsewhere = f'addresses = ["127.0.0.1:{free_port()}"]'
        text = re.sub(r"(?m)^addresses = .*$", elsewhere, self._true)
        other = generate_certificate("another station")[1].strip()
        self._restarted(re.sub(r"-----BEGIN.*?END CERTIFICATE-----", other, text, flags=re.DOTALL))

    def has_its_line_again(self) -> None:
        self._restarted(self._true)

    def _restarted(self, text: str) -> None:
        self.hall.processes.end("terminal-1")
        self._file.write_text(text)
        self.hall.hall.restart_terminal(self.table)

    def waits_for(self, *scenes: str) -> str:
        for _ in poll_until_timeout(PATIENCE_S, 0.1):
            try:
                scene = self.door.see().scene
            except OSError:
                continue
            if scene in scenes:
                return scene
        return ""

    def waits_until_all_is_received(self) -> None:
        """Then the screen offers no other way any more."""
        self.waits_for("confirmed")
        for _ in poll_until_timeout(PATIENCE_S, 0.1):
            if self.door.see().target("carry") is None:
                return

    def plays(self) -> None:
        """Up to the confirmed sheet."""
        brain = Brain(3, self._pin)
        for _ in poll_until_timeout(PATIENCE_S, 0.0):
            seen = self.door.see()
            if seen.scene == "confirmed":
                return
            touch = brain.next_touch(seen)
            if touch is not None:
                self.door.touch(touch)

    def touches(self, *names: str) -> None:
        for name in names:
            for _ in poll_until_timeout(PATIENCE_S, 0.05):
                target = self.door.see().target(name)
                if target is not None and self.door.touch(Touch(name, 0, target.hold_ms)):
                    break

    def picture(self) -> bytes:
        with urllib.request.urlopen(f"{self.table.door}/screen.png") as answer:
            return bytes(answer.read())

    def parts(self) -> list[bytes]:
        """Pictures of all parts that the screen goes through."""
        self.touches("part-play")
        pictures: dict[bytes, None] = {}
        for _ in poll_until_timeout(PATIENCE_S, 0.05):
            picture = self.picture()
            if picture in pictures:
                return list(pictures)
            pictures[picture] = None
            self.touches("part-next")
        return []


@pytest.fixture
def away(tmp_path: Path) -> Iterator[AwayTable]:
    with running_hall(tmp_path, frozenset()) as (hall, processes):
        small = SmallHall(hall, processes, tmp_path)
        small.open()
        small.judge.begin_round("line")
        table = AwayTable(small)
        table.waits_for("seating")
        table.loses_its_line()
        table.waits_for("seating")
        table.plays()
        yield table


@pytest.fixture
def page(playwright: Playwright, chromium: str, away: AwayTable, tmp_path: Path) -> Iterator[Page]:
    """A judge's phone whose camera sees what lies in ``camera.mjpeg`` when it is opened."""
    camera = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
              f"--use-file-for-fake-video-capture={tmp_path / 'camera.mjpeg'}"]  # fmt: skip
    browser = playwright.chromium.launch(executable_path=chromium, args=[*QUIET, *camera])
    opened = browser.new_context(
        base_url=away.hall.hall.http, permissions=["camera"], viewport={"width": 390, "height": 844}
    ).new_page()
    log_in(opened)
    yield opened
    browser.close()


def film(pictures: list[bytes], path: Path) -> None:
    """Write a video of a camera held before the screen: each picture for some frames."""
    frames = io.BytesIO()
    for picture in pictures:
        with Image.open(io.BytesIO(picture)) as opened:
            for _ in range(12):
                opened.convert("RGB").save(frames, "JPEG", quality=85)
    path.write_bytes(frames.getvalue())


def exported(away: AwayTable) -> list[dict[str, object]]:
    return [json.loads(line) for line in away.hall.judge.export().splitlines()]


def entries_of(away: AwayTable) -> list[object]:
    certificate = away.hall.terminal_data(1) / "certificate.pem"
    stream = f"table/{fingerprint_of_pem(certificate.read_text(), 'own')}"
    return [line["seq"] for line in exported(away) if line.get("stream") == stream]


def test_a_screenshot_of_the_sheet_a_film_of_the_game_and_then_the_wire_make_one_game(
    away: AwayTable, page: Page, tmp_path: Path
) -> None:
    assert len(entries_of(away)) <= 1
    away.touches("carry", "show-sheet")
    away.waits_for("code")
    for _ in poll_until_timeout(PATIENCE_S, 0.1):
        page.goto("/judge/take-in")
        page.locator("input[name=file]").last.set_input_files(
            {"name": "screen.png", "mimeType": "image/png", "buffer": away.picture()}
        )
        page.locator("form:has(textarea[name=part]) button").click()
        page.locator("#answers").wait_for()
        if page.get_by_text("The record sheet has been imported.").is_visible():
            break
    assert away.hall.judge.sheets()[1] == "accepted"

    away.touches("back", "show-game")
    away.waits_for("code")
    pictures = away.parts()
    assert len(pictures) >= 3
    film(pictures, tmp_path / "camera.mjpeg")
    page.get_by_role("button", name="Start the camera").click()
    expect(page.get_by_text(re.compile(r"\d+ new entries \("))).to_be_visible(timeout=60_000)
    carried = entries_of(away)
    assert carried == list(range(1, len(carried) + 1))

    away.has_its_line_again()
    away.waits_until_all_is_received()
    again = entries_of(away)
    assert again[: len(carried)] == carried
    assert again == list(range(1, len(again) + 1))
    accepted = [line for line in exported(away) if "sheet-accepted" in json.dumps(line)]
    assert len(accepted) == 1
    assert away.hall.judge.sheets()[1] == "accepted"
