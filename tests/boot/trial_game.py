"""a whole game over a serial cable with a real station, the plug pulled in its middle, the root untouched"""

import datetime as dt
import time
from collections.abc import Callable
from typing import Final

from core.game.state.game import Phase
from sync.protocol.entry import content_of
from tests.boot.disk import Disk, flattened, hash_of
from tests.boot.host_station import CABLE, HostStation, by_cable_only, host_station, with_key
from tests.boot.machine import Machine
from tests.boot.shell import Finger, Shell
from tests.boot.site import ANSWER_S, BOOT_S, SIZE, Broken, Site
from tests.boot.table import Table, Twin

_MIDDLE: Final = 35
"""Touches before the plug is pulled."""
_WRONG: Final = (dt.datetime(2020, 1, 1, tzinfo=dt.UTC), dt.datetime(2031, 6, 1, tzinfo=dt.UTC))
"""The times of the board's own clock at its two starts."""
_NEAR_S: Final = 10.0
"""A clock that is 5 s off stays as it is; and ssh takes its time to tell."""


def run(site: Site) -> None:
    """Seat, play, pull the plug, play on, confirm; then look at both ends and at the root."""
    key, public = site.key()
    shell = site.shell(key)
    with host_station(site.folder / "station") as station, Twin(site.folder / "twin", SIZE) as twin:
        text = by_cable_only(station.provisioning(), CABLE[site.arch])
        card = site.card({"saloon.toml": with_key(text, public).encode()})
        table = Table(site, twin, station)
        with site.board(card, cable=station.cable, clock=_WRONG[0]) as board:
            board.wait_for("the station knows the terminal", station.knows_the_terminal, BOOT_S)
            station.begin()
            table.arrives(board, board, "seating")
            site.keep("seated", board.screen(), twin.picture())
            _play(site, table, board, shell, until=lambda: _is_middle(table, twin))
            _has_the_stations_time(site, board, shell)
            _memory(site, shell, "memory in use while a table plays")
            before = station.record.raws("table/")
            site.keep("before-the-cut", board.screen(), twin.picture())
        site.say(f"plug pulled after {table.touches} touches, {len(before)} entries at the station")
        with site.board(card, cable=station.cable, clock=_WRONG[1]) as board:
            seen_s = table.arrives(board, board, "after-the-cut")
            site.measure("power to the same screen after a cut", seen_s - board.began_s, "s")
            site.keep("after-the-cut", board.screen(), twin.picture())
            _play(site, table, board, shell, until=lambda: twin.table.game.phase is Phase.CONFIRMED)
            site.keep("confirmed", board.screen(), twin.picture())
            board.wait_for("the sheet at the station", station.accepted, ANSWER_S)
            _has_the_stations_time(site, board, shell)
            shell.run("systemctl stop saloon-terminal.service")
            _memory(site, shell, "memory in use without the terminal")
        _nothing_lost(site, station, twin, before)
    _root_untouched(site)


def _is_middle(table: Table, twin: Twin) -> bool:
    """Return whether enough was played, and nothing lies over the table that a start would not bring back."""
    return table.touches >= _MIDDLE and twin.see().scene == "play"


def _play(site: Site, table: Table, board: Machine, shell: Shell, *, until: Callable[[], bool]) -> None:
    """Play by a finger on a touchscreen of the guest's kernel. Raises Broken where ssh is not let in."""
    if not shell.opens(BOOT_S):
        raise Broken("ssh with the key of the provisioning file is not let in")
    with Finger(shell, SIZE) as finger:
        begun, before = time.monotonic(), table.touches
        table.play(board, finger, until=until)
        each = (time.monotonic() - begun) / max(1, table.touches - before)
        site.measure("a touch, until its picture was seen and compared", each, "s")


def _has_the_stations_time(site: Site, board: Machine, shell: Shell) -> None:
    """The board's clock, which was years off, goes as the station's, which is this machine's."""
    board.wait_for("the station's time", lambda: abs(_ahead_s(shell)) < _NEAR_S, ANSWER_S)
    set_by = shell.run("journalctl -b -u saloon-terminal.service -o cat | grep 'the clock was set' | tail -1")
    site.say(f"{_ahead_s(shell):+.1f} s from the station's time; {set_by}")


def _ahead_s(shell: Shell) -> float:
    """By how much the guest's clock is ahead of the host's, half of the question's way taken off."""
    sent_s = time.time()
    station_s = float(shell.run("date +%s.%N"))
    return station_s - (sent_s + time.time()) / 2


def _memory(site: Site, shell: Shell, what: str) -> None:
    """Return the memory that the board uses."""
    lines = dict(line.split(":", 1) for line in shell.run("cat /proc/meminfo").splitlines())
    kb = {name: int(value.split()[0]) for name, value in lines.items()}
    site.measure(what, (kb["MemTotal"] - kb["MemAvailable"]) / 1024, "MB")


def _nothing_lost(site: Site, station: HostStation, twin: Twin, before: tuple[bytes, ...]) -> None:
    """Every entry once and in order, those from before the cut unaltered, the same steps as the twin's."""
    raws = station.record.raws("table/")
    if raws[: len(before)] != before:
        raise Broken("entries from before the cut have changed at the station")
    numbers = [number for _, number in station.record.numbers("table/")]
    if numbers != list(range(1, len(raws) + 1)):
        raise Broken(f"entries at the station are numbered {numbers}")
    own = [content_of(raw).body for raw in twin.table.entries()]
    theirs = [content_of(raw).body for raw in raws]
    if own != theirs:
        unlike = [n for n, (a, b) in enumerate(zip(own, theirs, strict=False), 1) if a != b]
        raise Broken(f"the twin wrote {len(own)} steps, the guest {len(theirs)}; unlike: {unlike[:10]}")
    site.measure("entries at the station, each once", len(raws), "entries")


def _root_untouched(site: Site) -> None:
    """The root of the card is the image's, octet by octet."""
    flat = flattened(site.folder / "card.qcow2", site.folder / "flat.img")
    root = Disk(site.image).root
    if hash_of(flat, root) != hash_of(site.image, root):
        raise Broken("the root partition has changed")
    site.say("the root partition has the same hash as in the image")
