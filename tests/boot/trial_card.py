"""a station takes its card's file and leaves no secret of it there; a wrong one is explained on its screen"""

import datetime as dt
import time
from pathlib import Path
from typing import Final

from demo.judge import JudgeAtWork
from demo.processes import free_port
from station.appliance.card import card_from
from sync.enrolment.provisioning_keys import WrongFile
from tests.boot.disk import Disk, flattened, found_in, unclean
from tests.boot.guest_station import (
    FILE,
    HALL,
    JUDGE,
    PASSWORD,
    WIFI_PASSWORD,
    ZONE,
    GuestStation,
    card_file,
    words_of_plan,
)  # fmt: skip
from tests.boot.machine import Machine
from tests.boot.shell import Shell
from tests.boot.site import ANSWER_S, Broken, Site

IMAGE: Final = "station"
_WRONG_CLOCK: Final = dt.datetime(2031, 6, 1, tzinfo=dt.UTC)
_NEAR_S: Final = 10.0
_AIR: Final = "/run/saloon-air/access-point.conf"


def run(site: Site) -> None:
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
