"""Trials of a station's image: its pages, its card's file, a stick."""

import datetime as dt
import subprocess
import time
from pathlib import Path
from typing import Final

import zxingcpp

from demo.judge import JudgeAtWork
from demo.pages import Pages
from demo.processes import Processes, free_port, poll_until_timeout, program
from station.appliance.card import card_from
from station.appliance.status import StickState
from station.appliance.stick import FOLDER, Copy, copies_of
from sync.enrolment.provisioning_keys import WrongFile
from tests.boot.disk import Disk, blank_stick, faults_of, flattened, found_in, unclean
from tests.boot.guests import (
    FILE,
    HALL,
    JUDGE,
    PASSWORD,
    WIFI_PASSWORD,
    ZONE,
    GuestStation,
    card_file,
    pages_at,
    wait_for_page,
    words_of_plan,
)  # fmt: skip
from tests.boot.machine import Machine, MachineFault
from tests.boot.shell import Shell
from tests.boot.site import ANSWER_S, BOOT_S, Broken, Site

_WRONG_CLOCK: Final = dt.datetime(2031, 6, 1, tzinfo=dt.UTC)
_NEAR_S: Final = 10.0
_AIR: Final = "/run/saloon-air/access-point.conf"


def run_card(site: Site) -> None:
    """Start with a right file, log in, set the clock, switch off; then the same card with a wrong file."""
    key, public = site.key()
    good = card_file(public)
    wrong = good.replace("channel = 1\n", "channel = 15\n")
    card = site.card({FILE: good.encode()})
    port = free_port()
    shell = site.shell(key)
    with site.board(card, https_port=port, clock=_WRONG_CLOCK) as board:
        station = GuestStation(site, board, shell, port)
        station.comes_up()
        _is_taken(site, station, shell)
        _is_told_the_time(site, station, shell, board)
        begun = board.age_s
        board.goes_off_at_its_button(ANSWER_S)
        site.measure("the power button until the station is off", board.age_s - begun, "s")
    flat = flattened(card, site.folder / "flat.img")
    _is_gone(flat)
    if faults := unclean(flat, Disk(flat).data):
        raise Broken(f"the data after the power button: {faults}")
    site.say("nothing of the file is left on the card, and the data are clean after the power button")
    again = site.in_a_reader(card, {FILE: wrong.encode()})
    with site.board(again, https_port=port) as board:
        station = GuestStation(site, board, shell, port)
        station.comes_up()
        _is_explained(site, station, wrong)
        if abs(off_s := _ahead_s(shell)) > _NEAR_S:
            raise Broken(f"the clock that a judge set back is {off_s:+.0f} s off at the next start")
        JudgeAtWork(station.pages).log_in(JUDGE, PASSWORD)
    if Disk(flattened(again, flat)).read(FILE) != wrong.encode():
        raise Broken("the wrong file has changed on the card")


def _is_taken(site: Site, station: GuestStation, shell: Shell) -> None:
    """Name, time zone, account, Wi-Fi and key are those of the file."""
    JudgeAtWork(station.pages).log_in(JUDGE, PASSWORD)
    plan = station.shows_its_plan("taken")
    if plan.title != HALL or plan.alert:
        raise Broken(f"the own screen says {words_of_plan(plan)!r}")
    if (zone := shell.run("readlink -f /etc/localtime")) != f"/usr/share/zoneinfo/{ZONE}":
        raise Broken(f"the time zone is {zone}")
    air = shell.run(f"cat {_AIR}").splitlines()
    if not {f'    psk="{WIFI_PASSWORD}"', "country=IT", "    frequency=2412"} <= {
        line.rstrip() for line in air
    }:
        raise Broken(f"the access point is not that of the file: {len(air)} lines")
    site.say("hall, time zone, judge, Wi-Fi and the engineer's key are those of the card's file")


def _is_told_the_time(site: Site, station: GuestStation, shell: Shell, board: Machine) -> None:
    """The time of a judge's browser is taken by one touch, on a board whose clock is years off."""
    form = station.pages.get("/judge/station/").form("/clock")
    station.pages.send(form, {"browser-ms": str(time.time_ns() // 1_000_000)})
    board.wait_for("the browser's time", lambda: abs(_ahead_s(shell)) < _NEAR_S, ANSWER_S)
    site.say("a clock that was years off has the time of the judge's browser")


def _ahead_s(shell: Shell) -> float:
    return float(shell.run("date +%s.%N")) - time.time()


def _is_gone(flat: Path) -> None:
    if FILE in Disk(flat).names():
        raise Broken("the card's file was taken, and is still there")
    if leaked := found_in(flat, (PASSWORD, f'password = "{WIFI_PASSWORD}"')):
        raise Broken(f"{len(leaked)} passwords of the card's file can still be read on the card")


def _is_explained(site: Site, station: GuestStation, wrong: str) -> None:
    """Line and key stand on the own screen; what was taken before still holds."""
    try:
        card_from(wrong.encode())
    except WrongFile as fault:
        where = fault
    else:
        raise Broken("this file is right")
    plan = station.shows_its_plan("explained")
    said = " ".join(plan.alert)
    if str(where.place.number) not in said or where.key not in said or plan.title != HALL:
        raise Broken(f"the own screen does not explain line {where.place.number}, {where.key}: {said!r}")
    site.say(f"the own screen: {said}")


_LEFT: Final = 16 << 20
"""Octets at the end of a card that growing leaves alone."""


def run_station(site: Site) -> None:
    """Start it, ask for a page from outside, read the code on its screen."""
    port = free_port()
    card = site.card()
    with site.board(card, https_port=port) as board:
        seen_s = wait_for_page(board, pages_at(port))
        served_s = board.kernel_s(seen_s)
        site.measure("page over HTTPS since power on, on the host", seen_s - board.began_s, "s")
        if served_s is not None:
            site.measure("page over HTTPS", served_s, "s")
        site.say(f"its own screen leads to {_code_on(site, board)}")
    _has_grown(site, card)


def _has_grown(site: Site, card: Path) -> None:
    """Return whether the data partition extends to the end of the card, for the records of a season."""
    disk = Disk(flattened(card, site.folder / "flat.img"))
    end, whole = disk.data.start + disk.data.length, disk.path.stat().st_size
    if whole - end > _LEFT:
        raise Broken(f"the data partition ends at {end / 1e6:.0f} MB of a card of {whole / 1e6:.0f} MB")
    site.measure("room for the data on a card of 8 GiB", disk.data.length / 1e6, "MB")


def _code_on(site: Site, board: Machine) -> str:
    """The address in the QR code of the screen. Raises Broken where none can be read."""
    try:
        board.wait_for("a code on the screen", lambda: bool(zxingcpp.read_barcodes(board.screen())), BOOT_S)
    except MachineFault as fault:
        raise Broken(f"no QR code on the station's own screen: {fault}") from fault
    finally:
        site.keep("station", board.screen())
    (code, *_) = zxingcpp.read_barcodes(board.screen())
    if not code.text.startswith("https://"):
        raise Broken(f"the code on the screen says {code.text!r}")
    return str(code.text)


_SECOND: Final = "bruno"
_THIRD: Final = "carla"
_HERE: Final = "/judge/station/"
_START_S: Final = 60.0


def run_stick(site: Site) -> None:
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
