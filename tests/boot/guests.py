"""A station or a terminal in a guest: its files, its pages, what its screen must show, a shell beside it."""

import datetime as dt
import os
import ssl
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import msgspec
import pygame
from PIL import Image

from demo.pages import Pages, PageTrouble
from kiosk.virtual.tiles import pixels_of
from station.appliance.status import HALL_FILE, STATUS_FILE, HallSettings, StationStatus
from station.screen.picture import draw_plan
from station.screen.plan import ScreenPlan, plan_of, words_in
from tests.boot.host_station import of_nobody, with_key
from tests.boot.machine import Machine, MachineFault
from tests.boot.pictures import difference
from tests.boot.shell import Shell, ShellFault
from tests.boot.site import ANSWER_S, BOOT_S, SIZE, Broken, Site
from tests.kiosk.golden.pictures import SHARE

NAME: Final = "saloon.local"
FILE: Final = "saloon-station.toml"
JUDGE: Final = "ada"
PASSWORD: Final = "the-noon-train-is-late"
WIFI_PASSWORD: Final = "two-coaches-behind"
HALL: Final = "Sala Rossa"
ZONE: Final = "Asia/Tokyo"
_TOLD: Final = "/run/saloon-station"
_PAUSE_S: Final = 1.0


def card_file(public_key: str) -> str:
    """Return a card file as an organiser may write it. public_key: an engineer's."""
    return (
        f'[hall]\nname = "{HALL}"\nlanguage = "en"\ntime_zone = "{ZONE}"\n\n'
        f'[judge]\nname = "{JUDGE}"\npassword = "{PASSWORD}"\n\n'
        f'[wifi]\nname = "Sala"\npassword = "{WIFI_PASSWORD}"\ncountry = "IT"\nchannel = 1\n\n'
        f'[service]\nssh_key = "{public_key}"\n'
    )


def pages_at(port: int) -> Pages:
    """Return the pages behind a port. Anybody is trusted, as a new station has a self-signed certificate."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    # By the name that a hall knows it by: it answers to no other.
    return Pages(f"https://127.0.0.1:{port}", name=NAME, trust=context)


def wait_for_page(board: Machine, pages: Pages) -> float:
    """Wait for a page over HTTPS; when it was there, by the host's clock. Raises MachineFault."""

    def is_served() -> bool:
        try:
            page = pages.get("/")
        except PageTrouble:
            time.sleep(_PAUSE_S)
            return False
        return urlsplit(page.url).path == "/" and "<html" in page.html

    return board.wait_for("a page over HTTPS", is_served, BOOT_S)


class GuestStation:
    """A station that is started in a board. port: of the host's loopback, leads to its pages."""

    def __init__(self, site: Site, board: Machine, shell: Shell, port: int) -> None:
        self._site = site
        self._board = board
        self._shell = shell
        self.pages = pages_at(port)

    def comes_up(self) -> float:
        """Wait for its pages and the engineer's way in; when the pages were there, by the host's clock."""
        came = wait_for_page(self._board, self.pages)
        if not self._shell.opens(BOOT_S):
            raise Broken("ssh with the key of the card's file is not let in")
        return came

    def status(self) -> StationStatus:
        return msgspec.json.decode(self._shell.run(f"cat {_TOLD}/{STATUS_FILE}"), type=StationStatus)

    def becomes(self, what: str, holds: Callable[[StationStatus], bool]) -> StationStatus:
        """Wait until it tells so. Raises MachineFault."""
        last = self.status()

        def is_so() -> bool:
            nonlocal last
            last = self.status()
            return holds(last)

        try:
            self._board.wait_for(what, is_so, ANSWER_S)
        except MachineFault as fault:
            raise MachineFault(f"{fault}; the station says {last}") from fault
        return last

    def plan(self) -> ScreenPlan:
        """Return the plan that its own screen must show for its status."""
        now, hall, status = self._shell.run(
            f"cd {_TOLD} && date +%s && cat {HALL_FILE} && echo && cat {STATUS_FILE}"
        ).splitlines()
        settings = msgspec.json.decode(hall, type=HallSettings)
        says = msgspec.json.decode(status, type=StationStatus)
        if not says.has_radio:
            settings = msgspec.structs.replace(settings, wifi=None)
        zone = self._shell.run("readlink /etc/localtime").removeprefix("/usr/share/zoneinfo/")
        return plan_of(
            settings, says, dt.datetime.fromtimestamp(int(now), ZoneInfo(zone)), words_in(settings.language)
        )

    def shows_its_plan(self, name: str) -> ScreenPlan:
        """Wait until its own screen is what the plan gives on the host. Raises MachineFault."""
        plan = self.plan()

        def is_shown() -> bool:
            nonlocal plan
            plan = self.plan()
            return difference(self._board.screen(), picture_of_plan(plan)) <= SHARE

        try:
            self._board.wait_for(f"the own screen {name}", is_shown, ANSWER_S)
        finally:
            self._site.keep(name, self._board.screen(), picture_of_plan(plan))
        return plan


def picture_of_plan(plan: ScreenPlan) -> Image.Image:
    pygame.font.init()
    surface = pygame.Surface(SIZE, depth=32)
    draw_plan(plan, surface)
    return Image.frombytes("RGB", SIZE, pixels_of(surface, "RGB"))


def words_of_plan(plan: ScreenPlan) -> str:
    rows = (f"{row.title} {row.text}" for row in plan.rows)
    return os.linesep.join((plan.title, *plan.alert, *rows, *plan.foot))


UNIT: Final = "saloon-terminal.service"
TOLD: Final = "systemd.log_target=kmsg systemd.log_level=info printk.devkmsg=on ignore_loglevel"
"""systemd says what it starts in the kernel's log, with the kernel's stamps."""
READY: Final = r"Started .*saloon-terminal"


def card_with_key(site: Site) -> tuple[Path, Shell]:
    """The card of a terminal whose station is nowhere, and root's shell by the key that its file brings."""
    key, public = site.key()
    card = site.card({"saloon.toml": with_key(of_nobody(site.folder), public).encode()})
    return card, site.shell(key)


def is_let_in(shell: Shell) -> None:
    """Wait for ssh. Raises Broken."""
    if not shell.opens(BOOT_S):
        raise Broken("ssh with the key of the provisioning file is not let in")


def is_ready(board: Machine, shell: Shell) -> None:
    """Wait for ssh and the first frame. Raises Broken or MachineFault."""
    is_let_in(shell)
    board.wait_for("the kiosk is ready", lambda: is_active(shell), BOOT_S)


def is_active(shell: Shell) -> bool:
    try:
        return shell.properties(UNIT, "ActiveState")["ActiveState"] == "active"
    except ShellFault:
        return False


def said(board: Machine, pattern: str) -> float:
    """Return when systemd reported this, by the kernel's clock (seconds). Raises MachineFault or Broken."""
    board.wait_for("systemd says it", lambda: board.console.said(pattern) is not None, BOOT_S)
    line = board.console.said(pattern)
    if line is None or line.kernel_s is None:
        raise Broken(f"{pattern}: without the kernel's stamp")
    return line.kernel_s
