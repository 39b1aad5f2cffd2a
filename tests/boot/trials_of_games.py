"""Trials of a terminal with a station: a whole game, a button, an update."""

import datetime as dt
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from core.game.state.game import Phase
from hardware.contract import PanelButton
from sync.protocol.entry import content_of
from tests.boot.board import blob_of, tree_of
from tests.boot.disk import Disk, flattened, hash_of
from tests.boot.guests import READY, TOLD, is_let_in, said
from tests.boot.host_station import CABLE, HostStation, by_cable_only, by_network, host_station, with_key
from tests.boot.machine import Machine
from tests.boot.shell import Finger, Shell, ShellFault
from tests.boot.site import ANSWER_S, BOOT_S, SIZE, Broken, Site
from tests.boot.table import Table, Twin

_MIDDLE: Final = 35
"""Touches before the plug is pulled."""
_WRONG: Final = (dt.datetime(2020, 1, 1, tzinfo=dt.UTC), dt.datetime(2031, 6, 1, tzinfo=dt.UTC))
"""The times of the board's own clock at its two starts."""
_NEAR_S: Final = 10.0
"""A clock that is 5 s off stays as it is; and ssh takes its time to tell."""


def run_game(site: Site) -> None:
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


_PANEL: Final = "/boot/firmware/panel.toml"
_WIRES: Final = """\
name = "the emulated board"
board = "pi-4"

[buttons.reshuffle]
pin = 3
to_ground = false
"""
_COMPUTE_MODULE_3: Final = 0xA020A0
"""A revision, without which gpiozero's lgpio drives no pins. On a header line 3 is pulled up for good."""


def run_button(site: Site) -> None:
    """Seat a game, press the button, and look for the reshuffle on the screen and at the station."""
    with host_station(site.folder / "station") as station, Twin(site.folder / "twin", SIZE) as twin:
        text = by_cable_only(station.provisioning(), CABLE[site.arch])
        text = text.replace("[terminal]", f'[terminal]\npanel = "{_PANEL}"')
        card = site.card({"saloon.toml": text.encode(), "panel.toml": _WIRES.encode()})
        table = Table(site, twin, station)
        tree = board_of_a_pi(site.folder)
        with site.board(card, cable=station.cable, device_tree=tree) as board:
            board.wait_for("the station knows the terminal", station.knows_the_terminal, BOOT_S)
            station.begin()
            table.arrives(board, board, "seating")
            table.play(board, board, until=lambda: twin.table.game.phase is Phase.PLAYING)
            site.say(f"{table.touches} touches of the tablet until the game began")
            board.press_power_button()
            twin.table.press(PanelButton.RESHUFFLE)
            table.shows(board, "reshuffle-1")
            board.wait_for("the station hears of it", lambda: station.reshuffles() == 1, ANSWER_S)
            site.keep("reshuffled", board.screen(), twin.picture())
        site.say("one press of the button, one reshuffle at the station")


def board_of_a_pi(folder: Path) -> Path:
    """The emulated board's device tree, saying that it is a Pi, and with its button left to us."""
    plain = folder / "virt.dtb"
    subprocess.run(
        ["qemu-system-aarch64", "-M", f"virt,dumpdtb={plain}", "-cpu", "cortex-a53", "-smp", "2", "-m", "1G"],
        check=True,
        capture_output=True,
    )
    tree = tree_of(plain.read_bytes())
    tree.root.child("system").properties["linux,revision"] = _COMPUTE_MODULE_3.to_bytes(4, "big")
    # The kernel's own driver would hold the line, and switch the board off.
    tree.root.without("gpio-keys")
    changed = folder / "pi.dtb"
    changed.write_bytes(blob_of(tree))
    return changed


ROOT: Final = Path(__file__).parents[2]
_MAKING_S: Final = 900.0
_PAUSE_S: Final = 5.0
_UPDATES: Final = "/data/updates"


def run_update(site: Site) -> None:
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
