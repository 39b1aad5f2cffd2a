"""The program ``saloon-station-screen``: shows the plan, again whenever it has changed."""

import datetime as dt
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Final

import click
import pygame

from saloon.core.errors import SaloonError
from saloon.hardware.supervisor import Supervisor
from saloon.station.appliance.hall import Hall, read_hall
from saloon.station.appliance.status import Status, StatusReader
from saloon.station.screen.picture import drawn
from saloon.station.screen.plan import Plan, plan_of
from saloon.station.screen.words import words_in

_LOOKS_EVERY_S: Final = 1.0
_SIZE_PARTS: Final = 2


@click.command()
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("/run/saloon-station"),
    show_default=True,
    help="Where system and station leave word.",
)
@click.option("--size", default="", metavar="WxH", help="A window of this size; the whole screen otherwise.")
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw once into this PNG file, and end.",
)
def main(folder: Path, size: str, picture: Path | None) -> None:
    """Show the address of the station's pages, and how the hall is. Ends on SIGTERM."""
    if picture is not None:
        os.environ["SDL_VIDEODRIVER"] = "dummy"
    pygame.display.init()
    pygame.font.init()
    try:
        surface = _surface(size)
    except pygame.error as error:
        click.echo(f"no screen: {error}", err=True)
        sys.exit(2)
    told = Told(folder)
    if picture is not None:
        drawn(told.plan(), surface)
        pygame.image.save(surface, str(picture))
        return
    _show(told, surface)


class Told:
    """What is known now. A file that cannot be read is a station that is silent."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._status = StatusReader(folder, time.time)

    def plan(self) -> Plan:
        """What to show now."""
        hall, status = self._hall(), self._said()
        return plan_of(hall, status, dt.datetime.now().astimezone(), words_in(hall.language))

    def _hall(self) -> Hall:
        try:
            return read_hall(self._folder)
        except SaloonError:
            return Hall()

    def _said(self) -> Status | None:
        try:
            return self._status.read()
        except SaloonError:
            return None


def _surface(size: str) -> pygame.Surface:
    parts = [int(part) for part in size.split("x") if part.isdigit()]
    if len(parts) == _SIZE_PARTS:
        return pygame.display.set_mode((parts[0], parts[1]))
    return pygame.display.set_mode((0, 0), pygame.FULLSCREEN)


def _show(told: Told, surface: pygame.Surface) -> None:
    """Draw whenever the plan has changed, until SIGTERM."""
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    pygame.mouse.set_visible(False)
    supervisor = Supervisor(os.environ)
    last: Plan | None = None
    while not ended.is_set():
        # Nothing that is typed or touched means anything here.
        pygame.event.clear()
        if (plan := told.plan()) != last:
            drawn(plan, surface)
            pygame.display.flip()
            last = plan
        now_ms = time.monotonic_ns() // 1_000_000
        supervisor.ready(now_ms)
        supervisor.turned(now_ms)
        ended.wait(_LOOKS_EVERY_S)
    supervisor.ends()
    pygame.quit()


if __name__ == "__main__":
    main()
