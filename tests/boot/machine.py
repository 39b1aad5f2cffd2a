"""A running QEMU: a board with a screen to look at, to touch, and to pull the plug of.

QEMU's monitor takes and gives lines of JSON. The library on PyPI is made for asyncio and calls its plain face
"legacy"; here a trial asks, waits and goes on, and six commands are all that is used.
"""

import contextlib
import json
import re
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import msgspec
from PIL import Image

_STAMP: Final = re.compile(r"\[ *(\d+\.\d{6})\]")


class Heard(msgspec.Struct, frozen=True):
    """A line, and when it was whole, in seconds of the host's monotonic clock."""

    at_s: float
    text: str

    @property
    def kernel_s(self) -> float | None:
        """The kernel's stamp; None for a line that has none."""
        stamp = _STAMP.search(self.text)
        return float(stamp[1]) if stamp else None


class Console:
    """Follows a file that QEMU writes. Call ``look`` often: a line is as old as the look before."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read = 0
        self._rest = ""
        self.lines: list[Heard] = []

    def look(self) -> None:
        if not self._path.exists():
            return
        with self._path.open("rb") as file:
            file.seek(self._read)
            data = file.read()
        self._read += len(data)
        now = time.monotonic()
        *whole, self._rest = (self._rest + data.decode(errors="replace").replace("\r", "")).split("\n")
        self.lines += [Heard(now, line) for line in whole]

    @property
    def unfinished(self) -> str:
        """The line that has no end yet, as a prompt is."""
        return self._rest

    def offset_s(self) -> float | None:
        """The host's clock when the kernel's was 0; None while no line has a stamp."""
        return offset_of(self.lines)

    def said(self, pattern: str) -> Heard | None:
        return next((line for line in self.lines if re.search(pattern, line.text)), None)


def offset_of(lines: list[Heard]) -> float | None:
    """Return the difference of the host's clock and the kernel's, from the line with the least delay."""
    late = [line.at_s - stamp for line in lines if (stamp := line.kernel_s) is not None]
    return min(late, default=None)


_PATIENCE_S: Final = 60.0
_LONGEST: Final = 1 << 20
"""A line of the monitor is a few hundred bytes; more than this is not a monitor."""


class Refusal(msgspec.Struct, frozen=True):
    """The reason why QEMU refused a command."""

    kind: str = msgspec.field(name="class", default="")
    desc: str = ""


class Message(msgspec.Struct, frozen=True):
    """One line of the monitor: a greeting, an answer, a refusal or an event; the others' fields are empty."""

    greeting: msgspec.Raw = msgspec.field(name="QMP", default=msgspec.Raw(b""))
    answer: msgspec.Raw = msgspec.field(name="return", default=msgspec.Raw(b""))
    error: Refusal | None = None
    event: str = ""


class MonitorFault(Exception):
    """The monitor refused, went away, or said what no monitor says."""


class Lines:
    """Cuts what arrives into messages, however it was cut on the way."""

    def __init__(self) -> None:
        self._rest = b""
        self._decoder = msgspec.json.Decoder(Message)

    def feed(self, data: bytes) -> tuple[Message, ...]:
        """The messages that are whole now. Raises MonitorFault for what is none."""
        *whole, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > _LONGEST:
            raise MonitorFault("a line of the monitor does not end")
        try:
            return tuple(self._decoder.decode(line) for line in whole if line.strip())
        except msgspec.MsgspecError as error:
            raise MonitorFault(f"not the monitor's language: {error}") from error


def request(command: str, arguments: Mapping[str, object]) -> bytes:
    """A command as the monitor reads it."""
    message = {"execute": command, "arguments": arguments} if arguments else {"execute": command}
    return json.dumps(message).encode() + b"\n"


class Monitor:
    """A conversation with one QEMU. path: of its socket."""

    def __init__(self, path: Path) -> None:
        self._lines = Lines()
        self._waiting: list[Message] = []
        self.events: list[str] = []
        """The machine's events in order: RESET, SHUTDOWN, WATCHDOG, …"""
        self._socket = _connected(path)
        self._next_answer()
        self.ask("qmp_capabilities")

    def ask(self, command: str, **arguments: object) -> bytes:
        """Ask, and wait for the answer, as JSON. Raises MonitorFault."""
        try:
            self._socket.sendall(request(command, arguments))
        except OSError as error:
            raise MonitorFault(f"{command}: {error}") from error
        message = self._next_answer()
        if message.error is not None:
            raise MonitorFault(f"{command}: {message.error.desc}")
        return bytes(message.answer)

    def look(self) -> None:
        """Take in the events that have happened, without waiting."""
        self._socket.setblocking(False)
        try:
            while data := self._socket.recv(65536):
                self._take(data)
        except BlockingIOError:
            pass
        except OSError as error:
            raise MonitorFault(f"the monitor is gone: {error}") from error
        finally:
            self._socket.settimeout(_PATIENCE_S)

    def close(self) -> None:
        self._socket.close()

    def _next_answer(self) -> Message:
        while not self._waiting:
            try:
                data = self._socket.recv(65536)
            except OSError as error:
                raise MonitorFault(f"the monitor says nothing: {error}") from error
            if not data:
                raise MonitorFault("QEMU ended")
            self._take(data)
        return self._waiting.pop(0)

    def _take(self, data: bytes) -> None:
        for message in self._lines.feed(data):
            if message.event:
                self.events.append(message.event)
            else:
                self._waiting.append(message)


def _connected(path: Path) -> socket.socket:
    end = time.monotonic() + _PATIENCE_S
    while True:
        made = socket.socket(socket.AF_UNIX)
        made.settimeout(_PATIENCE_S)
        try:
            made.connect(str(path))
        except OSError as error:
            made.close()
            if time.monotonic() > end:
                raise MonitorFault(f"{path}: {error}") from error
            time.sleep(0.05)
        else:
            return made


_END_S: Final = 20.0
_LOOK_S: Final = 0.1
_FARTHEST: Final = 0x7FFF
"""The tablet's last place on each axis."""
_DESKTOP: Final = (1024, 768)
"""The pixels of SDL's driver without a screen, to which it scales the places of an absolute mouse."""
_STICK: Final = "stick"
_AGAIN_S: Final = 20.0
"""Longer than a station takes to end."""


class MachineFault(Exception):
    """The board did not do in time what it should."""


class Machine:
    """One start of a board; the plug is pulled when the ``with`` block ends.

    command: QEMU's. folder: where its socket and its console's log are, as in the command.
    """

    def __init__(self, command: tuple[str, ...], folder: Path) -> None:
        self._folder = folder
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self.began_s = 0.0
        """The host's monotonic clock at power on."""
        self.console = Console(folder / "console.log")

    def __enter__(self) -> Self:
        (self._folder / "qmp").unlink(missing_ok=True)
        (self._folder / "console.log").unlink(missing_ok=True)
        with (self._folder / "qemu.log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        self.began_s = time.monotonic()
        try:
            self.monitor = Monitor(self._folder / "qmp")
        except MonitorFault as fault:
            self.pull_plug()
            raise MachineFault(f"QEMU did not start: {(self._folder / 'qemu.log').read_text()}") from fault
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.pull_plug()

    def pull_plug(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(_END_S)
            self._process = None
        with contextlib.suppress(AttributeError):
            self.monitor.close()

    @property
    def age_s(self) -> float:
        return time.monotonic() - self.began_s

    def screen(self) -> Image.Image:
        """Return a picture of the screen as a person would see it."""
        picture = self._folder / "screen.ppm"
        picture.unlink(missing_ok=True)
        self.monitor.ask("screendump", filename=str(picture))
        end = time.monotonic() + _END_S
        while True:
            try:
                return _opened(picture)
            except OSError as error:
                if time.monotonic() > end:
                    raise MachineFault(f"no picture: {error}") from error
                time.sleep(_LOOK_S)

    def tap(self, x: int, y: int, *, hold_s: float) -> None:
        # SDL forgets an axis that the kernel does not tell again: both have to change.
        self._send(_axis("x", _FARTHEST), _axis("y", _FARTHEST))
        self._send(
            *(_axis(name, _scaled(at, size)) for name, at, size in zip("xy", (x, y), _DESKTOP, strict=True))
        )
        self._send(_button(is_down=True))
        time.sleep(hold_s)
        self._send(_button(is_down=False))

    def press_keys(self, *names: str) -> None:
        """Press keys of the virtual keyboard together; names are QEMU's: ``ctrl``, ``alt``, ``f2``."""
        keys = [{"type": "qcode", "data": name} for name in names]
        self.monitor.ask("send-key", keys=keys, **{"hold-time": 100})

    def press_power_button(self) -> None:
        """Press a PC's power button, or what hangs on the third line of the arm64 board's GPIO chip."""
        self.monitor.ask("system_powerdown")

    def goes_off(self, limit_s: float) -> float:
        """Wait until the board has switched itself off; the host's clock then. Raises MachineFault."""
        return self.wait_for("the board is off", lambda: "SHUTDOWN" in self.monitor.events, limit_s)

    def goes_off_at_its_button(self, limit_s: float) -> float:
        """As ``goes_off``, for a board that is to do so by its power button, which is pressed here.

        Now and then again, as people do: it is down for a tenth of a second, which a busy guest may miss.
        """
        presses = 0

        def is_off() -> bool:
            nonlocal presses
            if self.age_s >= begun + presses * _AGAIN_S:
                presses += 1
                self.press_power_button()
            return "SHUTDOWN" in self.monitor.events

        begun = self.age_s
        return self.wait_for("the board is off", is_off, limit_s)

    def plug_in(self, stick: Path) -> None:
        self.monitor.ask(
            "blockdev-add",
            **{"node-name": _STICK, "driver": "raw"},
            file={"driver": "file", "filename": str(stick)},
        )
        self.monitor.ask("device_add", id=_STICK, driver="usb-storage", drive=_STICK)

    def pull_out(self) -> None:
        self.monitor.events.clear()
        self.monitor.ask("device_del", id=_STICK)
        self.wait_for("the stick is out", lambda: "DEVICE_DELETED" in self.monitor.events, _END_S)
        self.monitor.ask("blockdev-del", **{"node-name": _STICK})

    def wait_for(self, what: str, holds: Callable[[], bool], limit_s: float) -> float:
        """Look until it holds; the host's clock then. Raises MachineFault after so many seconds."""
        end = time.monotonic() + limit_s
        while True:
            self.look()
            now = time.monotonic()
            if holds():
                return now
            if now > end:
                raise MachineFault(f"{what}: not after {limit_s:g} s")
            time.sleep(_LOOK_S)

    def look(self) -> None:
        """Take in what console and monitor have told. Raises MachineFault when QEMU is gone."""
        self.console.look()
        if self._process is not None and self._process.poll() is not None:
            raise MachineFault(f"QEMU ended: {(self._folder / 'qemu.log').read_text()[-500:]}")
        self.monitor.look()

    def kernel_s(self, host_s: float) -> float | None:
        """A moment of the host's clock by the kernel's; None while the kernel has said nothing."""
        offset = self.console.offset_s()
        return None if offset is None else host_s - offset

    def _send(self, *events: dict[str, object]) -> None:
        self.monitor.ask("input-send-event", events=list(events))


def _scaled(place: int, size: int) -> int:
    return round((place + 0.5) * _FARTHEST / size)


def _axis(name: str, place: int) -> dict[str, object]:
    return {"type": "abs", "data": {"axis": name, "value": place}}


def _button(*, is_down: bool) -> dict[str, object]:
    return {"type": "btn", "data": {"down": is_down, "button": "left"}}


def _opened(path: Path) -> Image.Image:
    """A picture of the disk, whole in memory. Raises OSError for half a file."""
    with Image.open(path) as file:
        return file.convert("RGB")
