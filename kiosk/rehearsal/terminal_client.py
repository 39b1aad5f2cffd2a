"""The screen as a person at the table sees it, and a client for the virtual terminal's web page."""

import http.client
import json
import re
import urllib.error
import urllib.request

import msgspec

from base.errors import Unavailable
from core.terms import SeatNo
from hardware.contract import PowerSource

_SEAT = re.compile(r"seat-(\d+)-")


class SeenTarget(msgspec.Struct, frozen=True):
    """A place on the screen that can be touched."""

    id: str
    label: str = ""
    enabled: bool = True
    hold_ms: int = 0


class Seen(msgspec.Struct, frozen=True):
    """The contents of the screen at one moment."""

    scene: str
    targets: tuple[SeenTarget, ...]

    def target(self, name: str) -> SeenTarget | None:
        """Return the target with this name if it can be touched now."""
        return next((t for t in self.targets if t.id == name and t.enabled), None)

    def targets_like(self, prefix: str) -> tuple[str, ...]:
        """Return the names of touchable targets with this prefix."""
        return tuple(t.id for t in self.targets if t.enabled and t.id.startswith(prefix))

    def seats_with(self, suffix: str) -> tuple[SeatNo, ...]:
        """Return the seats that have a touchable target ``seat-N-suffix``, in order."""
        matches = (_SEAT.fullmatch(t.id.removesuffix(suffix)) for t in self.targets if t.enabled)
        return tuple(sorted(SeatNo(int(match[1])) for match in matches if match))

    def seats(self) -> int:
        """Return the largest seat number on the screen, or 0 if it shows none."""
        return max((int(match[1]) for t in self.targets if (match := _SEAT.match(t.id))), default=0)


class Touch(msgspec.Struct, frozen=True):
    """A touch of a target. ``after_s`` is how long people wait before it, at normal speed."""

    target: str
    after_s: float
    hold_ms: int = 0


_PATIENCE_S = 5.0


class TerminalClient:
    """A client for one virtual terminal. ``url`` is its address without a path, as printed when it starts."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")

    def see(self) -> Seen:
        """Return the current screen. Raises Unavailable if the terminal doesn't answer."""
        return msgspec.json.decode(self._ask("/screen.json", None), type=Seen)

    def touch(self, touch: Touch) -> bool:
        """Touch a target, and return False if it had gone.

        Raises Unavailable if the terminal doesn't answer.
        """
        body = json.dumps({"target": touch.target, "hold_ms": touch.hold_ms}).encode()
        try:
            self._ask("/touch", body)
        except _TargetGone:
            return False
        return True

    def run_on(self, supply: PowerSource) -> bool:
        """Set the power source of the virtual battery, and return False if the terminal has none.

        Raises Unavailable if the terminal doesn't answer.
        """
        try:
            self._ask("/panel", json.dumps({"battery": supply.value}).encode())
        except _TargetGone:
            return False
        return True

    def _ask(self, path: str, body: bytes | None) -> bytes:
        request = urllib.request.Request(  # noqa: S310 (the address is ours, http on the loopback)
            self._url + path, data=body, headers={"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=_PATIENCE_S) as answer:  # noqa: S310
                content: bytes = answer.read()
                return content
        except urllib.error.HTTPError as error:
            with error:
                if error.code in {404, 409}:
                    raise _TargetGone(path) from error
                raise Unavailable(f"{self._url}{path}: status {error.code}") from error
        except (OSError, http.client.HTTPException) as error:
            raise Unavailable(f"{self._url}{path}: {error}") from error


class _TargetGone(Exception):
    """The target was no longer on the screen."""
