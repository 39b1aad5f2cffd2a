"""Pictures of an appliance's pages and its own screen, from a newly installed station."""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from playwright.sync_api import Browser, sync_playwright

from demo.processes import free_port
from station.appliance.status import (
    HALL_FILE,
    STATUS_FILE,
    CardProblem,
    HallSettings,
    StationStatus,
    StationStatusWriter,
    WifiShown,
)
from sync.enrolment.provisioning_keys import Fault
from tools.pictures_station import OUT, QUIET, SIZES, save

WIFI = WifiShown("Saloon-3F2A", "cactus river", "10.73.1.1")
WRONG = CardProblem(12, "[wifi] password", Fault.WIFI_PASSWORD.value, "password = •••")
PASSWORD = "tumbleweed in the wind"  # noqa: S105 (of a station that lives for a minute)
SCREENS = {**{name: size for name, size in SIZES.items() if name != "phone"}, "720x1280": (720, 1280)}
_PATIENCE_S = 60


def main() -> None:
    """Take pictures of the first account, the page about the computer, and several states of the screen."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("Chromium is missing: apt install chromium")
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="saloon-appliance-") as place:
        folder = Path(place)
        with _station(folder) as address, sync_playwright() as playwright:
            status = _written_status(folder)
            browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
            _pages(browser, address, status)
            browser.close()
        _screens(folder, status)


@contextmanager
def _station(folder: Path) -> Iterator[str]:
    """Run a station with the image's settings, except for its ports."""
    (folder / "run").mkdir()
    port = free_port()
    words = ("serve", "--data", folder / "data", "--http", f"127.0.0.1:{port}", "--https", "--no-announce")
    more = ("--tls-host", "127.0.0.1", "--tls-port", "0", "--appliance", folder / "run", "--stick", folder)
    program = Path(sys.executable).parent / "saloon-station"
    with subprocess.Popen([program, *words, *more], stdout=subprocess.DEVNULL) as running:
        try:
            yield f"https://127.0.0.1:{port}"
        finally:
            running.terminate()


def _written_status(folder: Path) -> StationStatus:
    """Wait until the station has written the status for its own screen."""
    file = folder / "run" / STATUS_FILE
    for _ in range(10 * _PATIENCE_S):
        if file.exists():
            return msgspec.json.decode(file.read_bytes(), type=StationStatus)
        time.sleep(0.1)
    sys.exit("the station does not start")


def _pages(browser: Browser, address: str, status: StationStatus) -> None:
    is_new = True
    for language in ("en", "it"):
        for name, (width, height) in SIZES.items():
            context = browser.new_context(
                base_url=address,
                locale=language,
                viewport={"width": width, "height": height},
                ignore_https_errors=True,
            )
            page, suffix = context.new_page(), f"{name}-{language}"
            if is_new:
                page.goto(f"/first?code={status.first_code}")
                save(page, "first", suffix)
                page.locator("input[name=name]").fill("Ada")
                page.locator("input[name=password]").fill(PASSWORD)
                page.locator("main button.main").click()
                is_new = False
            else:
                page.goto("/login")
                page.locator("input[name=name]").fill("Ada")
                page.locator("input[name=password]").fill(PASSWORD)
                page.locator("main button.main").click()
            page.goto("/judge/station")
            save(page, "station", suffix)
            page.goto("/judge/station/power")
            save(page, "station-power", suffix)
            context.close()


def _screens(folder: Path, status: StationStatus) -> None:
    status = msgspec.structs.replace(
        status, pages=("https://10.73.1.1",), local="https://saloon.local", has_radio=True
    )
    moments = {
        "own-screen": (HallSettings(wifi=WIFI), status),
        "own-screen-cable": (HallSettings(name="Sala Rossa"), msgspec.structs.replace(status, first_code="")),
        "own-screen-wrong-file": (HallSettings(wifi=WIFI, card=WRONG), status),
    }
    for name, (hall, told) in moments.items():
        for language in ("en", "it"):
            (folder / "run" / HALL_FILE).write_bytes(
                msgspec.json.encode(msgspec.structs.replace(hall, language=language))
            )
            StationStatusWriter(folder / "run").write(told)
            for size in SCREENS:
                out = OUT / f"{name}-{size}-{language}.png"
                program = Path(sys.executable).parent / "saloon-station-screen"
                words = ("--folder", folder / "run", "--size", size, "--picture", out)
                subprocess.run([program, *words], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
