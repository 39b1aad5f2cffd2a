"""The virtual terminal's door, as a rehearsal player uses it: see the screen, touch it."""

import http.client
import json
import urllib.error
import urllib.request

import msgspec

from saloon.base.errors import Unavailable
from saloon.hardware.contract import PowerSource
from saloon.kiosk.rehearsal.seen import Seen, Touch

_PATIENCE_S = 5.0


class TerminalClient:
    """The door of one virtual terminal. url: its address without a path, as printed at its start."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")

    def see(self) -> Seen:
        """Return the screen as it is now. Raises Unavailable while the terminal is away."""
        return msgspec.json.decode(self._ask("/screen.json", None), type=Seen)

    def touch(self, touch: Touch) -> bool:
        """Touch a target; False when it was not there any more. Raises Unavailable."""
        body = json.dumps({"target": touch.target, "hold_ms": touch.hold_ms}).encode()
        try:
            self._ask("/touch", body)
        except TargetGone:
            return False
        return True

    def run_on(self, supply: PowerSource) -> bool:
        """Set the power source of the virtual battery; False if it has none.

        Raises Unavailable while the terminal is away.
        """
        try:
            self._ask("/panel", json.dumps({"battery": supply.value}).encode())
        except TargetGone:
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
                    raise TargetGone(path) from error
                raise Unavailable(f"{self._url}{path}: status {error.code}") from error
        except (OSError, http.client.HTTPException) as error:
            raise Unavailable(f"{self._url}{path}: {error}") from error


class TargetGone(Exception):
    """The target was not on the screen any more."""
