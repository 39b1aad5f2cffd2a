"""first frame and saving with a card of 10 MB/s, 300 requests a second and flushes of 20 ms"""

import shlex
from pathlib import Path
from typing import Final

from tests.boot.board import Arch
from tests.boot.disk import SlowCard
from tests.boot.guest_terminal import READY, TOLD, card_with_key, is_ready, said
from tests.boot.machine import Machine
from tests.boot.shell import Shell
from tests.boot.site import Site

BOARDS: Final = (Arch.ARM64,)
_SAVES: Final = Path(__file__).with_name("guest_saves.py")
_PYTHON: Final = "/run/saloon/app/bin/python"


def run(site: Site) -> None:
    """Start the same card slow and as fast as this machine's disk, save entries on it, and compare."""
    card, shell = card_with_key(site)
    socket = site.folder / "card"
    with SlowCard(card, socket) as slow, site.board(socket, append=TOLD, is_slow=True) as board:
        _measure(site, board, shell, "a slow card")
        site.say(f"{slow.flushes} flushes in all")
    card, shell = card_with_key(site)
    with site.board(card, append=TOLD) as board:
        _measure(site, board, shell, "this machine's disk")


def _measure(site: Site, board: Machine, shell: Shell, what: str) -> None:
    is_ready(board, shell)
    site.measure(f"first frame from {what}", said(board, READY), "s")
    script = shlex.quote(_SAVES.read_text(encoding="utf-8"))
    median_ms, p99_ms = map(float, shell.run(f"{_PYTHON} -c {script}").split())
    site.measure(f"an entry until it is durable on {what}, p99", p99_ms, "ms")
    site.measure(f"an entry until it is durable on {what}, median", median_ms, "ms")
