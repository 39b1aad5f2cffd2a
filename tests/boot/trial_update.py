"""a signed version is fetched, put in place and kept; one that does not come up is undone by itself"""

import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from tests.boot.guest_terminal import READY, TOLD, is_let_in, said
from tests.boot.host_station import HostStation, by_network, host_station, with_key
from tests.boot.machine import Machine
from tests.boot.shell import Shell, ShellFault
from tests.boot.site import BOOT_S, SIZE, Broken, Site
from tests.boot.table import Table, Twin

ROOT: Final = Path(__file__).parents[2]
_MAKING_S: Final = 900.0
_PAUSE_S: Final = 5.0
_UPDATES: Final = "/data/updates"


def run(site: Site) -> None:
    """Offer two versions to one terminal, one after the other."""
    good, bad = bundles(site)
    key, public = site.key()
    with host_station(site.folder / "station") as station, Twin(site.folder / "twin", SIZE) as twin:
        text = with_key(by_network(station.provisioning()), public)
        card = site.card({"saloon.toml": text.encode()})
        with site.board(card) as board:
            shell = site.shell(key)
            table = Table(site, twin, station)
            board.wait_for("the station knows the terminal", station.knows_the_terminal, BOOT_S)
            table.arrives(board, board, "waiting")
            is_let_in(shell)
            _is_kept(site, board, shell, station, good)
            table.arrives(board, board, "updated")
            site.keep("updated", board.screen(), twin.picture())
            _is_undone(site, board, shell, station, bad)
            table.arrives(board, board, "undone")
            site.keep("undone", board.screen(), twin.picture())
        with site.board(card, append=TOLD) as board:
            site.measure("a kept version says that it has drawn", said(board, READY), "s")


def bundles(site: Site) -> tuple[Path, Path]:
    """A good version and one without its program, newer than the image's and signed. Raises Broken."""
    made = _python("image.recipe", "--arch", site.arch.value, "app").splitlines()[-1]
    _python("image.release", "trials", made, str(site.folder / "bundles"))
    return site.folder / "bundles" / "good.saloon", site.folder / "bundles" / "bad.saloon"


def _python(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=_MAKING_S,
    )  # fmt: skip
    if done.returncode:
        raise Broken(f"{' '.join(arguments)}: {done.stderr.strip()[-500:]}")
    return done.stdout.strip()


def _is_kept(site: Site, board: Machine, shell: Shell, station: HostStation, bundle: Path) -> None:
    before = board.age_s
    station.bring_out(bundle)
    board.wait_for("the version is kept", lambda: bool(_read(shell, "kept")), BOOT_S)
    site.measure("an update until it is kept", board.age_s - before, "s")
    program = shell.run("findmnt -n -o FSTYPE --target /run/saloon/app | tail -1")
    if program != "squashfs":
        raise Broken(f"the version is kept, and the program runs from {program}")
    site.say(f"{bundle.name} ({bundle.stat().st_size / 1e6:.1f} MB) fetched, checked, started and kept")


def _is_undone(site: Site, board: Machine, shell: Shell, station: HostStation, bundle: Path) -> None:
    kept = _read(shell, "kept")
    before = board.age_s
    station.bring_out(bundle)
    board.wait_for("the version is undone", lambda: bool(_refused(shell)), BOOT_S)
    site.measure("an update that does not come up until it is undone", board.age_s - before, "s")
    if _read(shell, "kept") != kept:
        raise Broken(f"{bundle.name} did not come up, and the one before is not kept any more")
    site.say(f"{bundle.name} undone by itself: {_refused(shell)}")


def _read(shell: Shell, name: str) -> str:
    """A note of the update's scripts; nothing where there is none, or nobody answers. Takes its time.

    To be let in by ssh is work for a slow board, and a version that is on trial wants to start there.
    """
    time.sleep(_PAUSE_S)
    try:
        return shell.run(f"cat {_UPDATES}/{name} 2>/dev/null || true")
    except ShellFault:
        return ""


def _refused(shell: Shell) -> str:
    """Return why a version was refused; nothing if none was."""
    return _read(shell, "refused/*")
