"""The startup up to the first frame, and everything that is loaded after it."""

import contextlib
import errno
import gc
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import get_args, get_type_hints

import msgspec
import pygame
import pytest

from base.errors import BadData, Unavailable
from base.languages import LANGUAGES
from bench.table.seated import seat_players
from hardware.panel import panel_on
from hardware.pending_panel import PendingPanel
from hardware.pins import PinDriver
from hardware.supervisor import Supervisor
from hardware.wiring import shipped_wiring
from kiosk.preferences import Choices, Preferences
from kiosk.terminal.display.screen import TableScreen
from kiosk.terminal.display.touch_input import Pointers
from kiosk.terminal.loop import Display
from kiosk.terminal.startup.composition import Appearance, DeferredStartup, appearance_of
from kiosk.terminal.startup.screen import open_screen, show_startup_error
from kiosk.terminal.startup_settings import StartupSettings, settings_from, settings_in
from kiosk.ui.geometry import screen_geometry_for
from sync.enrolment.provisioning import Provisioning, StationPart, TerminalPart, text_of
from sync.terminal.station_record import StationRecord
from sync.tls.certificates import generate_certificate

STATION = StationPart(generate_certificate("station")[1], ("192.0.2.1:7373",))
AS_IT_COMES = Appearance("en", 0, None)
OF_THE_FILE = Appearance("it", 3, 10.1)
ITALIAN = TerminalPart("once", language="it", rotation=270, inches=10.1)


def looks(data: Path, *files: Path, language: str = "", turns: int | None = None) -> Appearance:
    return appearance_of(
        settings_from({"data": data, "boot_files": files, "language": language, "quarter_turns": turns})
    )


@pytest.fixture
def card(tmp_path: Path) -> Path:
    file = tmp_path / "saloon.toml"
    file.write_text(text_of(Provisioning(STATION, ITALIAN)), encoding="utf-8")
    return file


def test_people_win_over_the_command_line_which_wins_over_the_file(tmp_path: Path, card: Path) -> None:
    assert looks(tmp_path) == AS_IT_COMES
    assert looks(tmp_path, card) == OF_THE_FILE
    assert looks(tmp_path, tmp_path / "none.toml", card) == OF_THE_FILE
    assert looks(tmp_path, card, language="de", turns=0) == Appearance("de", 0, 10.1)
    assert Choices(OF_THE_FILE.language).words.language == "it"
    assert Choices(OF_THE_FILE.language, Preferences(language="fr")).words.language == "fr"


def test_it_holds_at_every_later_start_and_at_other_stations(tmp_path: Path, card: Path) -> None:
    belonging = StationRecord(tmp_path)
    belonging.import_file(card, moves=True)
    assert looks(tmp_path, card) == OF_THE_FILE
    belonging.forget_token()
    assert looks(tmp_path, card) == OF_THE_FILE
    belonging.save_joined(generate_certificate("another")[1], ("192.0.2.2:7373",), "/dev/ttyUSB0")
    assert looks(tmp_path, card) == OF_THE_FILE


def test_a_wrong_file_leaves_it_as_it_was(tmp_path: Path, card: Path) -> None:
    StationRecord(tmp_path).import_file(card, moves=True)
    card.write_text("[terminal]\nrotation = 45\n", encoding="utf-8")
    assert looks(tmp_path, card) == OF_THE_FILE
    (tmp_path / "provisioning.toml").write_text("rubbish", encoding="utf-8")
    assert looks(tmp_path, card) == AS_IT_COMES


def test_a_picture_without_a_size_is_as_large_as_usual_where_there_is_no_panel() -> None:
    with contextlib.ExitStack() as parts:
        screen, _display = open_screen(parts, None, 1, is_virtual=True, inches=10.1)
        assert screen.surface.get_size() == (480, 800)


DAMAGED = BadData("/var/lib/saloon/journal.db", "not a journal; take a spare terminal")


class Watching:
    """A person who watches the screen and may touch it after some time."""

    def __init__(self) -> None:
        self.now_ms = 0
        self.flips = 0
        self.touches_after_ms: int | None = None
        self.screen = TableScreen(screen_geometry_for((800, 480)), failsafe=False)
        self.display = Display(Pointers(screen_geometry_for((800, 480))), self._flip, polls=True)
        self.said: tuple[str, ...] = ()

    def watch(self, error: Exception) -> None:
        show_startup_error(
            self.screen,
            self.display,
            error,
            language="en",
            supervisor=Supervisor({}),
            clock_ms=lambda: self.now_ms,
            sleep=self._sleep,
        )

    def _sleep(self, seconds: float) -> None:
        self.said = self.screen.visible_text()
        self.now_ms += round(seconds * 1000)
        if self.touches_after_ms is not None and self.now_ms > self.touches_after_ms:
            self.touches_after_ms = None
            x, y, width, height = next(t.rect for t in self.screen.targets() if t.id == "dismiss")
            across, down = (x + width / 2) / 800, (y + height / 2) / 480
            for kind in (pygame.FINGERDOWN, pygame.FINGERUP):
                pygame.event.post(pygame.event.Event(kind, finger_id=1, x=across, y=down, dx=0.0, dy=0.0))

    def _flip(self) -> None:
        self.flips += 1


@pytest.fixture
def somebody() -> Iterator[Watching]:
    pygame.display.init()
    pygame.event.clear()
    yield Watching()
    pygame.display.quit()


def test_the_judge_reads_a_code_and_the_reason_until_the_next_try(somebody: Watching) -> None:
    somebody.watch(DAMAGED)
    said = "\n".join(somebody.said)
    assert all(word in said for word in ("Error", "can't start", "journal.db"))
    assert "Traceback" not in said
    assert somebody.flips == 1
    assert 29_000 < somebody.now_ms < 31_000


def test_it_is_tried_again_when_somebody_wants_to(somebody: Watching) -> None:
    somebody.touches_after_ms = 2_000
    somebody.watch(DAMAGED)
    assert 2_000 < somebody.now_ms < 3_000


WORN = Unavailable("/var/lib/saloon/key.pem: Read-only file system")
WORN.__cause__ = OSError(errno.EROFS, "Read-only file system")


@pytest.mark.parametrize(
    ("error", "word", "is_said"),
    [
        pytest.param(ZeroDivisionError(), "ZeroDivisionError", True, id="a fault without words is named"),
        pytest.param(WORN, "card", True, id="a card that takes nothing is said to be one"),
        pytest.param(Unavailable("the cable is out"), "card", False, id="another fault is not of the card"),
    ],
)
def test_a_fault_is_told_by_its_cause(
    somebody: Watching, error: Exception, word: str, *, is_said: bool
) -> None:
    somebody.watch(error)
    assert (word in "\n".join(somebody.said)) is is_said


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
        "kiosk.terminal.startup.station_connection",
        "kiosk.rehearsal",
        "kiosk.scenes.auction",
        "kiosk.scenes.duel",
        "kiosk.scenes.judge.judge_menu",
        "kiosk.scenes.play.play",
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


def test_the_first_picture_is_of_the_game_and_waits_for_no_library_that_it_does_not_need(
    tmp_path: Path,
) -> None:
    seat_players(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", _LOADED, "--data", str(tmp_path), "--virtual", "0"],
        capture_output=True,
        text=True,
        check=True,
        env={"SDL_VIDEODRIVER": "dummy"},
    )
    first = msgspec.json.decode(done.stdout.splitlines()[-1], type=First)
    assert first.scene == "seating"
    assert first.modules & NOT_YET == frozenset()
    assert len(first.modules) < MOST


_STEPS_BACK = """
import os, threading
from hardware.pending_panel import PendingPanel
from hardware.panel import panel_on
from hardware.pins import PinDriver
from hardware.wiring import shipped_wiring
from kiosk.terminal.startup.composition import DeferredStartup

panel = lambda: panel_on(PinDriver.MOCK, shipped_wiring(), lambda: 0)
gate, seen = threading.Event(), []
other = threading.Thread(target=gate.wait)
other.start()
rest = DeferredStartup(PendingPanel(panel, seen.append), lambda: None, is_virtual=False)
before = os.getpriority(os.PRIO_PROCESS, other.native_id)
rest.begin()
rest.wait()
assert not seen
print(before, os.getpriority(os.PRIO_PROCESS, 0), os.getpriority(os.PRIO_PROCESS, other.native_id))
gate.set()
"""


def priorities(nice: int) -> list[int]:
    """Return the priorities of a thread before the first frame, and of both threads after it."""
    done = subprocess.run(
        [sys.executable, "-c", _STEPS_BACK],
        preexec_fn=lambda: os.setpriority(os.PRIO_PROCESS, 0, nice),
        capture_output=True,
        text=True,
        check=True,
    )
    return [int(word) for word in done.stdout.split()[-3:]]


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may begin before others")
def test_who_went_before_everybody_until_the_first_picture_steps_back_with_all_threads() -> None:
    assert priorities(-5) == [-5, 0, 0]


@pytest.mark.slow
def test_who_stands_behind_others_stays_there() -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert priorities(max(own, 5)) == [max(own, 5)] * 3


def test_a_scene_that_cannot_be_loaded_keeps_nobody_from_the_station(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ImportError("a scene is damaged on the card")

    monkeypatch.setattr("kiosk.terminal.startup.composition.load_scenes", broken)
    connected = threading.Event()
    make = partial(panel_on, PinDriver.MOCK, shipped_wiring(), lambda: 0)
    with contextlib.closing(PendingPanel(make, lambda _error: None)) as panel:
        rest = DeferredStartup(panel, connected.set, is_virtual=False)
        rest.begin()
        rest.wait()
    gc.unfreeze()
    assert connected.is_set()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "terminal.toml"


def test_what_a_file_says_is_taken_and_the_rest_is_usual(file: Path) -> None:
    file.write_text('data = "/d"\nboot_files = ["/a", "/b"]\nsize = [800, 480]\nsets_clock = true\n')
    assert settings_in(file) == StartupSettings(
        data=Path("/d"), boot_files=(Path("/a"), Path("/b")), size=(800, 480), sets_clock=True
    )


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("data = ", "not TOML"),
        ('pins = "lgpio"', "data"),
        ('data = "/d"\npin = "lgpio"', "pin"),
        ("data = 1", "data: "),
        ('data = "/d"\nboot_files = [2]', "boot_files[0]: "),
        ('data = "/d"\nvirtual = 65536', "virtual: must be a whole number, at most 65535"),
        ('data = "/d"\nsize = [800, 48]', "size[1]: must be a whole number, at least 320"),
        ('data = "/d"\ninches = 99', "inches: "),
        ('data = "/d"\nquarter_turns = 90', "quarter_turns: "),
        ('data = "/d"\nlanguage = "xx"', "language: 'xx' is not allowed; choose de, en, es, fr, it"),
        ('data = "/d"\npins = "gpio"', "pins: 'gpio' is not allowed; choose lgpio, mock, rpigpio"),
        ('data = "/d"\nscreen_within_s = -1', "screen_within_s: "),
    ],
)
def test_what_is_wrong_in_a_file_is_named(file: Path, text: str, named: str) -> None:
    file.write_text(text)
    with pytest.raises(BadData) as caught:
        settings_in(file)
    assert str(file) in str(caught.value)
    assert named in str(caught.value)


def test_a_file_that_is_missing_is_named(file: Path) -> None:
    with pytest.raises(BadData, match=r"terminal\.toml: No such file"):
        settings_in(file)


def test_a_file_may_name_every_language_and_kind_of_pins() -> None:
    named = get_type_hints(StartupSettings)
    assert get_args(named["language"]) == ("", *LANGUAGES)
    assert set(get_args(named["pins"])) == {driver.value for driver in PinDriver}
