"""A client for the virtual terminal's web page: read the screen and touch it."""

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Mapping

import msgspec

from base.errors import Unavailable
from hardware.contract import PowerSource
from kiosk.rehearsal.seen import Seen, Touch

_PATIENCE_S = 5.0


class TerminalClient:
    """A client for one virtual terminal. ``url`` is its address without a path, as printed when it starts."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")

    def see(self) -> Seen:
        return msgspec.json.decode(self._ask("/screen.json", None), type=Seen)

    def touch(self, touch: Touch) -> bool:
        """Touch a target, or return False if it has gone. Raises Unavailable."""
        return self._post("/touch", {"target": touch.target, "hold_ms": touch.hold_ms})

    def run_on(self, supply: PowerSource) -> bool:
        """Set the power source of the virtual battery, or return False without one. Raises Unavailable."""
        return self._post("/panel", {"battery": supply.value})

    def _post(self, path: str, fields: Mapping[str, object]) -> bool:
        try:
            self._ask(path, json.dumps(fields).encode())
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
    pass
