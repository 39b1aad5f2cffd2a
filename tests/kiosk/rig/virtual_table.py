"""The virtual table: the whole terminal of one table, with its clock controlled by the test.

Real: loop, terminal, screen, pointers from SDL's queue, panel on gpiozero's mock pins with edges from another
thread, agent's steps, journal on the disk. Simulated: the clock, the screen (SDL's dummy driver) and, unless
a carrier is given, the connection to the station.
"""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import argon2
import msgspec
import pygame
from gpiozero.pins.mock import MockFactory, MockPin

from base.signing import signer
from core.game.orders import Order
from core.game.state.game import GameState
from hardware.contract import Lamp, PanelButton, Tune
from hardware.panel import PinPanel
from hardware.parts.outputs import Backlight
from hardware.wiring import shipped_wiring
from kiosk.preferences import Choices, PreferenceFile
from kiosk.rehearsal.seen import Seen, SeenTarget
from kiosk.terminal.board_services import BoardServices
from kiosk.terminal.display.screen import TableScreen
from kiosk.terminal.display.touch_input import Pointers
from kiosk.terminal.link.enrolment_progress import EnrolmentProgress
from kiosk.terminal.link.offline_export import UsbStick
from kiosk.terminal.lock import LockFile
from kiosk.terminal.loop import Display, Loop
from kiosk.terminal.mistakes import CALL_MS, END_TURN_MS, RESHUFFLE_MS, UNDO_MS
from kiosk.terminal.pin import FailedAttemptFile
from kiosk.terminal.round_clock import ClockFile
from kiosk.terminal.terminal import Terminal
from kiosk.ui.blocks import Block, Target
from kiosk.ui.geometry import Rect, ScreenGeometry, screen_geometry_for
from kiosk.ui.painter import Painter
from kiosk.ui.touch_recogniser import FRESH_MS, GUARD_MS
from kiosk.view.intents import Intent
from kiosk.view.table_view import PinState, RoundTime, TableQuestion, TableView
from kiosk.virtual.http_server import VirtualTerminalServer
from sync.protocol.entry import StreamId, TerminalId, orders_of
from sync.protocol.journal import Journal
from sync.terminal.agent_contract import UplinkContract
from sync.terminal.agent_steps import Packer
from sync.tls.certificates import fingerprint_of_pem, own_identity
from tests.kiosk.rig.fingertips import Fingertips, TouchStyle
from tests.kiosk.rig.station_in_hand import HandCarrier, InlineAgent, StationInHand

PIN = "2019"
CHEAP_PIN = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PIN)
TAP_MS = 60
_STALE_TURNS = 3
"""The number of times that the same moment may be due, as a turn may leave work to the next one."""
_PATIENCE_S = 10
_AFTER = {
    "rescue-beer": "end-turn",
    "rescue-sid-ketchum": "end-turn",
    "judge-came": "call-judge",
    "cancel-call": "call-judge",
}
_REPEATED = ("minus", "plus", *(f"pin-{digit}" for digit in range(10)))
"""Suffixes of targets that may be touched again immediately."""
_PATIENCE_MS = {
    "end-turn": END_TURN_MS,
    "reshuffle": RESHUFFLE_MS,
    "undo": UNDO_MS,
    "rescue-beer": END_TURN_MS,
    "rescue-sid-ketchum": END_TURN_MS,
    "judge-came": CALL_MS,
    "cancel-call": CALL_MS,
}


class Clock:
    """A terminal's clock, controlled by the test. wall_offset_ms: offset of the wall clock."""

    def __init__(self) -> None:
        self.now_ms = 10_000
        self.wall_offset_ms = 1_793_214_000_000

    def monotonic_ms(self) -> int:
        return self.now_ms

    def wall_ms(self) -> int:
        return self.now_ms + self.wall_offset_ms


class Rigging(msgspec.Struct, frozen=True):
    """The configuration of a virtual table.

    carrier: creates the connection to the station at each start; None for the station in hand. door: serve
    the web page on a free port. failsafe: show the scene ``trouble`` if a scene fails, as at a real table;
    otherwise raise the error. paints: draw pixels, for tests that look at pictures, and always with a door.
    blinks: let a blinking lamp wake the loop. board: name of the board, which the journal remembers.
    """

    glass: ScreenGeometry = screen_geometry_for((800, 480))
    style: TouchStyle = TouchStyle.FINGER
    language: str = "en"
    carrier: Callable[[Journal, Path], UplinkContract] | None = None
    door: bool = False
    failsafe: bool = False
    paints: bool = False
    blinks: bool = True
    board: str = "board"


class LampSeen(msgspec.Struct, frozen=True):
    """The visible state of the lamp. pattern: as ordered; colour: of the pins now."""

    pattern: Lamp
    colour: tuple[int, int, int]


class HeardTerminal(Terminal):
    """A terminal that records the screen's requests. recorded: emptied by the reader."""

    recorded: list[Intent]

    def carry_out(self, intents: tuple[Intent, ...], now_ms: int, *, is_named: bool = False) -> None:
        self.recorded.extend(intents)
        super().carry_out(intents, now_ms, is_named=is_named)


class _SteadyPanel(PinPanel):
    def next_deadline_ms(self) -> int | None:
        """Return None, so that a blinking lamp wakes nobody."""
        return None


class _Unpainted(Painter):
    def paint(self, blocks: tuple[Block, ...]) -> tuple[Rect, ...]:  # noqa: ARG002 - named as in the base
        return ()


class VirtualTable:
    """One table and its terminal; ``close`` it. folder: for the journal, keys and USB drive.

    clock: replaces the simulated one. shut_down: called when the terminal powers the board off.
    """

    screen: TableScreen
    _touched: str

    def __init__(self, folder: Path, rigging: Rigging | None = None, clock: Clock | None = None) -> None:
        self.rigging = rigging or Rigging()
        self.clock = clock or Clock()
        self.station = StationInHand()
        self.flips = 0
        self.shut_down: Callable[[], None] = lambda: None
        self._done_ms: dict[str, int] = {}
        self._touched = ""
        self._place = (0, 0)
        self._lifted_ms = 0
        self.fingers = Fingertips(self.rigging.glass, self.rigging.style)
        self._folder = folder
        (folder / "stick").mkdir(exist_ok=True)
        self._light = folder / "backlight" / "panel"
        self._light.mkdir(parents=True, exist_ok=True)
        (self._light / "max_brightness").write_text("200")
        (self._light / "brightness").write_text("200")
        self._identity = own_identity(folder, "virtual table")
        self.name = TerminalId(fingerprint_of_pem(self._identity[1].read_text(), "certificate"))
        self._edges = ThreadPoolExecutor(1, "edges")
        self._key_on = False
        pygame.display.init()
        self._start()

    # Actions of hands.

    def order(self, *orders: Order) -> None:
        for order in orders:
            self.station.give(msgspec.msgpack.encode(order))
        self.after(0)
        self.after(0)

    def tap(self, seat: int, sign: str) -> None:
        """Touch a button on a player's panel: ``tap(3, "minus")``."""
        self.touch(f"seat-{seat}-{sign}")

    def touch(self, *names: str, confirms: bool = True) -> None:
        """Touch targets by name at their centre, as long as they need; each must exist.

        confirms: immediately confirm a repeated reshuffle if the table is asked.
        """
        for name in names:
            self._wait_for_guard(name)
            hold_ms = self.target(name).hold_ms
            self.touch_at(*self.place(name), hold_ms=hold_ms)
            if confirms and name == PanelButton.RESHUFFLE.value:
                self.confirm_reshuffle()

    def type_pin(self, pin: str = PIN) -> None:
        self.touch(*(f"pin-{digit}" for digit in pin), "pin-ok")

    def lose_life(self, seat: int, *, left: int = 0) -> None:
        """Touch a player's minus until so many life points are left; without any, the table is asked."""
        for _ in range(self.game.seats[seat - 1].life - left):
            self.tap(seat, "minus")

    def confirm_reshuffle(self) -> None:
        if self.scene() == "reshuffle-again" and self.game.reshuffles:
            self.touch("reshuffled-again")

    def _wait_for_guard(self, name: str) -> None:
        """Let time pass until the target accepts another touch."""
        now_ms, patience_ms = self.clock.now_ms, _PATIENCE_MS.get(name, 0)
        waits_ms = [self._done_ms.get(_AFTER.get(name, name), -patience_ms) + patience_ms - now_ms]
        if name != self._touched or not name.endswith(_REPEATED):
            waits_ms.append(self._lifted_ms + GUARD_MS - now_ms)
            changed_ms = (picture.at_ms for picture in self.screen._fingers._replaced)
            waits_ms.append(max(changed_ms, default=now_ms - FRESH_MS) + FRESH_MS - now_ms)
        if max(waits_ms) > 0:
            self.advance(max(waits_ms) / 1000)
        self._touched = name
        self._done_ms[name] = self.clock.now_ms + TAP_MS

    def touch_at(self, x: int, y: int, *, hold_ms: int = 0, finger: int = 1) -> None:
        self._place = (x, y)
        self.lay((x, y), finger)
        self.after(hold_ms + TAP_MS)
        self._lifted_ms = self.clock.now_ms
        self.lift(finger)
        # No hand returns to a place before it accepts touches again.
        self.after(100)

    def touch_again(self) -> None:
        self.touch_at(*self._place)

    def lay(self, at: str | tuple[int, int], finger: int = 1) -> None:
        """Lay a finger on a target or at a place."""
        self.fingers.lay(finger, *(self.place(at) if isinstance(at, str) else at))
        self.after(0)

    def lift(self, *fingers: int) -> None:
        """Lift these fingers, or the only one."""
        for finger in fingers or (1,):
            self.fingers.lift(finger)
        self.after(0)

    def press(self, button: PanelButton, *, hold_ms: int = TAP_MS, in_earnest: bool = True) -> None:
        """Press a button of the panel. in_earnest: wait as long as people would since the last press."""
        if in_earnest:
            self._wait_for_guard(button.value)
        pin = self._pin(self._wiring.buttons[button.value].pin)
        self._edges.submit(pin.drive_low).result()
        self.after(0)
        self.after(max(hold_ms, 1))
        self._edges.submit(pin.drive_high).result()
        self.after(100)

    def turn_key(self, *, on: bool) -> None:
        self._key_on = on
        self._drive_key()
        self.after(0)
        self.after(200)

    def restart(self, *, lost: bool = False) -> None:
        """Cut the power and start again. lost: before the last entry could be saved."""
        if not lost:
            self.after(0)
        self._end(self.agent.lose_power)
        self._start()

    # Time.

    def advance(self, seconds: float) -> None:
        """Let time pass; the loop wakes when it is due, and must never be due in the past."""
        end = self.clock.now_ms + round(seconds * 1000)
        stale, times = None, 0
        while True:
            due = self._due_ms()
            if due is None or due >= end:
                break
            times = times + 1 if due == stale else 0
            stale = due
            assert times < _STALE_TURNS, f"{self.scene()} spins: due {self.clock.now_ms - due} ms ago"
            self.clock.now_ms = max(due, self.clock.now_ms + 1)
            self._turn()
        self.after(max(0, end - self.clock.now_ms))

    def after(self, ms: int) -> None:
        self.clock.now_ms += ms
        self._turn()
        while self.scene() == "pin" and self.view.pin is PinState.CHECKING:
            assert self._woken.acquire(timeout=_PATIENCE_S)
            self._turn()

    # What people see.

    def scene(self) -> str:
        return self.screen.scene_name()

    def says(self) -> tuple[str, ...]:
        return self.screen.visible_text()

    def target(self, name: str) -> Target:
        targets = {target.id: target for target in self.screen.targets()}
        assert name in targets, f"{name} is not on the screen {self.scene()}: {sorted(targets)}"
        assert targets[name].enabled, f"{name} cannot be touched on the screen {self.scene()}"
        return targets[name]

    def place(self, name: str) -> tuple[int, int]:
        """Return the centre of a target, even if it cannot be touched now."""
        x, y, width, height = next(target.rect for target in self.screen.targets() if target.id == name)
        return x + width // 2, y + height // 2

    def offers(self, name: str) -> bool:
        return any(target.id == name and target.enabled for target in self.screen.targets())

    def see(self) -> Seen:
        targets = tuple(SeenTarget(t.id, t.label, t.enabled, t.hold_ms) for t in self.screen.targets())
        return Seen(self.scene(), targets)

    def lamp(self) -> LampSeen:
        lamp = self._wiring.lamp
        assert lamp is not None
        pins = (self._pin(lamp.red), self._pin(lamp.green), self._pin(lamp.blue))
        red, green, blue = (int(bool(pin.state) == lamp.active_high) for pin in pins)
        return LampSeen(self.panel.state().lamp_says, (red, green, blue))

    def brightness(self) -> int:
        return int((self._light / "brightness").read_text()) // 2

    def is_black(self) -> bool:
        return not any(pygame.transform.average_color(self.screen.surface)[:3])

    def tune(self) -> Tune | None:
        return self.panel.state().tune

    @property
    def view(self) -> TableView:
        return self.terminal.view(self.clock.now_ms)

    @property
    def round_time(self) -> RoundTime:
        time = self.view.round_time
        assert time is not None
        return time

    @property
    def game(self) -> GameState:
        game = self.terminal._keeper.game
        assert game is not None
        return game

    @property
    def question(self) -> TableQuestion | None:
        return self.terminal._watch.question

    def entries(self) -> tuple[bytes, ...]:
        return self.journal.own()

    def close(self) -> None:
        self._end(self.agent.stop)
        self._edges.shutdown()

    def _start(self) -> None:
        self._touched = ""
        glass = self.rigging.glass
        self._woken = threading.Semaphore(0)
        self._wiring = shipped_wiring()
        self.factory = MockFactory()
        panel = PinPanel if self.rigging.blinks else _SteadyPanel
        self.panel = panel(
            self._wiring, self.factory, self.clock.monotonic_ms, backlight=Backlight(self._light.parent)
        )
        self.journal = Journal(
            self._folder / "journal.db",
            StreamId(f"table/{self.name}"),
            orders_of(self.name),
            self.rigging.board,
        )
        made = self.rigging.carrier
        carrier = (
            made(self.journal, self._folder) if made is not None else HandCarrier(self.station, self.journal)
        )
        packer = Packer(self.name, signer(self._identity[0].read_bytes(), "key"))
        self.agent = InlineAgent(self.journal, carrier, self.clock, packer)
        self.screen: TableScreen = TableScreen(glass, failsafe=self.rigging.failsafe)
        if not (self.rigging.paints or self.rigging.door):
            self.screen._painter = _Unpainted(glass, self.screen.surface, self.screen._types)
        self._preferences = PreferenceFile(self._folder)
        self._clock_file = ClockFile(self._folder)
        self._lock_file = LockFile(self._folder)
        held = self.agent.start()
        self.terminal = HeardTerminal(
            self.agent,
            self.panel,
            choices=Choices(self.rigging.language, self._preferences.read(), self._preferences.keep),
            enrolling=EnrolmentProgress(),
            wake=self._woken.release,
            board=BoardServices(
                clock=self._clock_file,
                lock=self._lock_file,
                pins=FailedAttemptFile(self._folder),
                stick=UsbStick(self._folder / "stick", lambda place: place.is_dir()),
                shut_down=lambda: self.shut_down(),  # noqa: PLW0108 (tests replace it)
            ),
        )
        self.terminal.recorded = []
        self.terminal.resume(held)
        pointers = Pointers(glass)
        self.loop = Loop(
            self.terminal,
            self.screen,
            self.agent,
            self.panel,
            Display(pointers, self._flip, polls=True),
            clock_ms=self.clock.monotonic_ms,
        )
        self.door = VirtualTerminalServer(0) if self.rigging.door else None
        if self.door is not None:
            self.loop.serve_page(self.door, quarter_turns=glass.quarter_turns)
        if self._key_on:
            self._drive_key()
        self.after(0)

    def _end(self, end_agent: Callable[[], None]) -> None:
        if self.door is not None:
            self.door.close()
        self.terminal.close()
        # Wait for a store's thread before the next start reads its file, to avoid a race.
        self._preferences.close()
        self._clock_file.close()
        self._lock_file.close()
        self.panel.close()
        end_agent()
        self.factory.close()
        self.fingers.forget()

    def _turn(self) -> None:
        self.loop.turn(self.clock.now_ms)

    def _due_ms(self) -> int | None:
        return self.loop.next_deadline_ms(self.clock.now_ms)

    def _flip(self) -> None:
        self.flips += 1

    def _drive_key(self) -> None:
        key = self._wiring.key
        assert key is not None
        pin = self._pin(key.pin)
        self._edges.submit(pin.drive_low if self._key_on == key.to_ground else pin.drive_high).result()

    def _pin(self, number: int) -> MockPin:
        pin = self.factory.pin(number)
        assert isinstance(pin, MockPin)
        return pin
