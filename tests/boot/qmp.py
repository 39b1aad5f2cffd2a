"""QEMU's monitor: lines of JSON in, lines of JSON out; and a client that asks one thing at a time.

The library on PyPI is made for asyncio and calls its plain face "legacy"; here a trial asks, waits and
goes on, and six commands are all that is used.
"""

import json
import socket
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

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
