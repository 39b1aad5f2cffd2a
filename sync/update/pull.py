"""The choice of the next piece of a payload to request, and when: pure, for any transport.

Entries and orders share the wire. So only one piece is in flight, smaller on slower wires, and each is
followed by a pause of the same duration, so that at most half of a slow line is used.
"""

from typing import Final

from sync.update.bundle import Manifest
from sync.update.messages import LARGEST_PIECE, UpdatePiece, UpdateWant

FIRST_PIECE: Final = 1024
LEAST_PIECE: Final = 256
QUICK_MS: Final = 100
"""The time in ms: a piece that took less may be followed by a larger one."""
SLOW_MS: Final = 250
"""The time in ms: a piece that took longer is followed by a smaller one, to avoid delaying orders."""
LONGEST_REST_MS: Final = 10_000
ASK_AGAIN_MS: Final = 60_000
"""Milliseconds until an unanswered request is repeated, even if the station had no data."""


class BundleDownload:
    """The requests for one payload. ``have`` is the number of bytes fetched so far."""

    def __init__(self, manifest: Manifest, have: int) -> None:
        self.manifest = manifest
        self.have = have
        self._size = FIRST_PIECE
        self._request: UpdateWant | None = None
        self._asked_ms = 0
        self._next_ms = 0

    @property
    def is_whole(self) -> bool:
        return self.have >= self.manifest.payload

    def want(self, now_ms: int) -> UpdateWant | None:
        """Return the request to send now, or None while one is pending or during a pause."""
        due = self.next_deadline_ms()
        if due is None or now_ms < due:
            return None
        length = min(self._size, self.manifest.payload - self.have)
        self._request, self._asked_ms = UpdateWant(self.manifest.digest, self.have, length), now_ms
        return self._request

    def came(self, piece: UpdatePiece, now_ms: int) -> bytes:
        """Return the next bytes of the payload, or empty if this piece was not requested."""
        request = self._request
        if request is None or (piece.digest, piece.offset) != (request.digest, request.offset):
            return b""
        took_ms = now_ms - self._asked_ms
        self._request = None
        # A station without data answers too, so asking again at once would loop.
        self._next_ms = now_ms + (min(took_ms, LONGEST_REST_MS) if piece.data else ASK_AGAIN_MS)
        if took_ms > SLOW_MS:
            self._size = max(LEAST_PIECE, self._size // 2)
        elif took_ms < QUICK_MS:
            self._size = min(LARGEST_PIECE, self._size * 2)
        data = piece.data[: request.length]
        self.have += len(data)
        return data

    def cut(self) -> None:
        """Drop the pending request, as the connection is lost."""
        self._request = None
        self._size = FIRST_PIECE

    def next_deadline_ms(self) -> int | None:
        """Return when ``want`` must be called next, or None if the payload is complete."""
        if self.is_whole:
            return None
        return self._next_ms if self._request is None else self._asked_ms + ASK_AGAIN_MS
