"""a stick at a station: copies by themselves, a safe goodbye, a last one at the power button; they open"""

import subprocess
from pathlib import Path
from typing import Final

from demo.judge import JudgeAtWork
from demo.pages import Pages
from demo.processes import Processes, free_port, poll_until_timeout, program
from station.appliance.status import StickState
from station.appliance.stick import FOLDER, Copy, copies_of
from tests.boot.disk import Disk, blank_stick, faults_of, flattened, unclean
from tests.boot.guest_station import FILE, JUDGE, PASSWORD, GuestStation, card_file
from tests.boot.machine import Machine
from tests.boot.site import ANSWER_S, Broken, Site

IMAGE: Final = "station"
_SECOND: Final = "bruno"
_THIRD: Final = "carla"
_HERE: Final = "/judge/station/"
_START_S: Final = 60.0


def run(site: Site) -> None:
    """Put a stick in, take it out as the page says, put it in again, and press the power button."""
    key, public = site.key()
    card = site.card({FILE: card_file(public).encode()})
    stick = blank_stick(site.folder / "stick.img")
    port = free_port()
    with site.board(card, https_port=port, usb=True) as board:
        station = GuestStation(site, board, site.shell(key), port)
        station.comes_up()
        judge = JudgeAtWork(station.pages)
        judge.log_in(JUDGE, PASSWORD)
        _pulled(site, board, station, stick)
        _taken_out(site, board, station, stick)
        taken = copies_on(stick)
        opens(site, stick, taken[0], _SECOND)
        site.say(f"{len(taken)} copies were on the stick when it was taken out, {taken[0].name} the newest")
        _last_copy(site, board, station, stick)
    newest = copies_on(stick)[0]
    if newest.number <= taken[0].number:
        raise Broken(f"no copy was blank_stick at the end: {copies_on(stick)}")
    opens(site, stick, newest, _THIRD)
    if faults := faults_of(stick.path, site.folder / "stick-fat.img"):
        raise Broken(f"the stick's file system: {faults}")
    flat = flattened(card, site.folder / "flat.img")
    if faults := unclean(flat, Disk(flat).data):
        raise Broken(f"the data after the power button: {faults}")
    site.say("after the power button the newest copy has the last account; stick and data are clean")


def _pulled(site: Site, board: Machine, station: GuestStation, stick: Disk) -> None:
    """Taken away without a word as soon as the screen says that all is on it."""
    board.plug_in(stick.path)
    begun = board.age_s
    station.becomes("a copy on the stick", lambda status: status.stick.state is StickState.GOOD)
    board.pull_out()
    site.measure("a stick until a copy is on it", board.age_s - begun, "s")
    (only,) = copies_on(stick)
    opens(site, stick, only, JUDGE)
    station.becomes("the stick is gone", lambda status: status.stick.state is StickState.NONE)


def _taken_out(site: Site, board: Machine, station: GuestStation, stick: Disk) -> None:
    """As the page says: a last copy, then nothing more."""
    board.plug_in(stick.path)
    station.becomes("a copy on the stick", lambda status: status.stick.state is StickState.GOOD)
    station.shows_its_plan("with-a-stick")
    _has_account(station.pages, _SECOND)
    station.pages.send(station.pages.get(_HERE).form("/let-go"))
    station.becomes("the stick may be pulled out", lambda status: status.stick.state is StickState.LET_GO)
    board.pull_out()
    station.becomes("the stick is gone", lambda status: status.stick.state is StickState.NONE)


def _last_copy(site: Site, board: Machine, station: GuestStation, stick: Disk) -> None:
    board.plug_in(stick.path)
    station.becomes("a copy on the stick again", lambda status: status.stick.state is StickState.GOOD)
    _has_account(station.pages, _THIRD)
    begun = board.age_s
    board.goes_off_at_its_button(ANSWER_S)
    site.measure("the power button until the station is off", board.age_s - begun, "s")


def _has_account(pages: Pages, name: str) -> None:
    """Something that the copy before has not."""
    form = pages.get("/judge/accounts").form("/accounts")
    pages.send(form, {"name": name, "password": PASSWORD, "role": "floor-judge"})


def copies_on(stick: Disk) -> tuple[Copy, ...]:
    """The copies that any computer finds on it, the newest first. Raises Broken for none."""
    copies = copies_of(stick.names(FOLDER))
    if not copies:
        raise Broken(f"no copy on the stick: {stick.names(FOLDER)}")
    return copies


def opens(site: Site, stick: Disk, copy: Copy, judge: str) -> None:
    """Restore a copy on this computer, start a station of it, and let a judge of the copy in."""
    file, data = site.folder / copy.name, site.folder / f"restored-{copy.number}"
    file.write_bytes(stick.read(f"{FOLDER}/{copy.name}"))
    restored(file, data)
    address = f"127.0.0.1:{free_port()}"
    with Processes(site.folder) as processes:
        processes.start(
            f"restored-{copy.number}", program("saloon-station"), "serve",
            *("--data", str(data), "--http", address, "--no-announce"),
            *("--tls-host", "127.0.0.1", "--tls-port", str(free_port())),
        )  # fmt: skip
        pages = Pages(f"http://{address}")
        for _ in poll_until_timeout(_START_S):
            processes.check()
            if pages.is_up():
                break
        JudgeAtWork(pages).log_in(judge, PASSWORD)
        pages.close()


def restored(file: Path, data: Path) -> None:
    """Put a copy in place of a station that is none yet. Raises Broken where it is not taken."""
    done = subprocess.run(
        [program("saloon-station"), "restore", "--data", str(data), str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Broken(f"{file.name} is not restored: {done.stdout}{done.stderr}")
