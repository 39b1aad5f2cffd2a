"""Modules imported before the first frame: none that it doesn't need.

A virtual terminal has a web page too, which isn't part of a normal start.
"""

import subprocess
import sys

import msgspec
import pytest

from bench.table.seated import seat_players

NOT_YET = frozenset(
    {
        "PIL",
        "argon2",
        "asyncio.base_events",
        "cryptography",
        "gpiozero",
        "greenlet",
        "lgpio",
        "numpy",
        "pkg_resources",
        "pygame.mixer",
        "pygame.surfarray",
        "rich.console",
        "hardware.wiring",
        "kiosk.terminal.link.station_connection",
        "kiosk.rehearsal",
        "kiosk.scenes.auction",
        "kiosk.scenes.duel",
        "kiosk.scenes.judge.judge_menu",
        "kiosk.scenes.play.play",
        "sync.tls.connection",
        "sync.terminal.terminal_connector",
        "sync.terminal.station_search",
        "sync.tls.trust",
        "sync.terminal.uplink",
        "segno",
        "serial",
        "sqlalchemy",
        "structlog.processors",
        "zeroconf",
        "zxingcpp",
    }
)
MOST = 570
"""The number of modules, each of which takes milliseconds on a Pi. Python 3.14 has eight more itself."""
_LOADED = """
import os, sys
from hardware.supervisor import Supervisor
from kiosk.cli.main import main

def ready(self, now_ms):
    found = set(sys.modules)
    # The loop says so of the one picture that it has painted.
    loop = sys._getframe(1).f_locals["self"]
    import msgspec
    print(msgspec.json.encode((found, loop._screen.scene_name())).decode(), flush=True)
    os._exit(0)

Supervisor.ready = ready
sys.argv[0] = "saloon-terminal"
main()
"""


class First(msgspec.Struct, frozen=True, array_like=True):
    """The modules that were loaded at the first frame."""

    modules: frozenset[str]
    scene: str


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> First:
    data = tmp_path_factory.mktemp("data")
    seat_players(data)
    done = subprocess.run(
        [sys.executable, "-c", _LOADED, "--data", str(data), "--virtual", "0"],
        capture_output=True,
        text=True,
        check=True,
        env={"SDL_VIDEODRIVER": "dummy"},
    )
    return msgspec.json.decode(done.stdout.splitlines()[-1], type=First)


def test_the_first_picture_is_of_the_game_in_the_journal(first: First) -> None:
    assert first.scene == "seating"


def test_the_first_picture_waits_for_no_library_that_it_does_not_need(first: First) -> None:
    assert first.modules & NOT_YET == frozenset()
    assert len(first.modules) < MOST
