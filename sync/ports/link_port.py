"""A reliable stream over any raw port: the link's state machine connected to a wire.

Its owner calls ``advance`` whenever ``fileno`` is readable, and at ``next_deadline_ms``; ``read`` and
``write`` then move bytes of the stream. When ``was_reset`` reports that the other end restarted, the layer
above (TLS) must start again too.
"""

import secrets
from collections.abc import Callable

from sync.link.counters import Counters, Tally
from sync.link.reliable import ReliableLink
from sync.ports.port import Port, StreamPort

_AHEAD_MS, _MOST_AHEAD_MS = 20.0, 44.0
"""The line time (ms) of bytes that may be queued in adapters and kernels.

It is short, so that urgent bytes do not wait long. It grows when the line runs dry because we are late, and
then slowly shrinks again.
"""
_REFILL = 0.5
"""The fraction of the queue at which it is refilled, so that the line stays busy if we are late."""
_BITS_A_BYTE = 10
_CATCH_UP = 1.05
"""The factor by which we send more slowly than the line while frames wait in hidden queues."""


class LinkPort(StreamPort):
    """The link over a raw port.

    clock_ms: monotonic.
    sessions: returns the session number for each life of the link.
    """

    def __init__(
        self,
        port: Port,
        clock_ms: Callable[[], int],
        *,
        baud: int,
        sessions: Callable[[], int] = lambda: 1 + secrets.randbelow(0xFFFF),
    ) -> None:
        self._port = port
        self._clock_ms = clock_ms
        self._baud = baud
        self._sessions = sessions
        self._tally = Tally()
        self._link = self._new_link()
        self._unsent = bytearray()
        self._busy_until_ms = 0.0
        self._ahead_ms = _AHEAD_MS
        self._pushed_at_ms = 0
        self._has_more = False
        self._goes_on = False

    def _new_link(self) -> ReliableLink:
        return ReliableLink(self._sessions(), baud=self._baud, tally=self._tally)

    def open(self) -> None:
        """Open the wire. Raises Unavailable.

        After a reset, the life that the reset began continues: another new life would make the other end
        restart in turn, and so on for ever.
        """
        self._port.open()
        if not self._goes_on:
            self._link = self._new_link()
            self._unsent.clear()
        self._goes_on = False

    def close(self) -> None:
        self._port.close()

    def fileno(self) -> int:
        return self._port.fileno()

    def read(self) -> bytes:
        """Return the bytes of the stream received in order. Raises Unavailable."""
        self.advance(self._clock_ms())
        return self._link.take_received()

    def write(self, data: bytes) -> int:
        """Queue bytes of the stream, and return how many were accepted."""
        taken = self._link.send(data)
        self._push(self._clock_ms())
        return taken

    def advance(self, now_ms: int) -> None:
        """Read bytes that have arrived and send those that are due. Raises Unavailable."""
        while data := self._port.read():
            self._link.receive(data, now_ms)
        self._push(now_ms)

    def next_deadline_ms(self) -> int | None:
        """Return when ``advance`` must be called next, or None if only received bytes require it."""
        due_ms = self._link.next_deadline_ms()
        # Nothing can be done until the line has room.
        room_ms = max(self._clock_ms() + 1, round(self._busy_until_ms - self._ahead_ms * _REFILL))
        if self._unsent or self._link.has_more():
            return room_ms
        return None if due_ms is None else max(due_ms, room_ms)

    def was_reset(self) -> bool:
        """Return whether the other end restarted since the last call."""
        was_reset = self._link.was_reset()
        self._goes_on = self._goes_on or was_reset
        return was_reset

    def counters(self) -> Counters:
        return self._link.counters()

    def _push(self, now_ms: int) -> None:
        self._adapt_queue(now_ms)
        while True:
            ahead_ms = max(0.0, self._busy_until_ms - now_ms)
            room = int((self._ahead_ms - ahead_ms) * self._baud / (_BITS_A_BYTE * 1000))
            if room <= 0:
                break
            if not self._unsent:
                self._unsent += self._link.to_line(now_ms, ahead_ms)
            taken = self._port.write(bytes(self._unsent[:room])) if self._unsent else 0
            if not taken:
                break
            del self._unsent[:taken]
            took_ms = taken * _BITS_A_BYTE * 1000 / self._baud
            self._busy_until_ms = now_ms + ahead_ms + took_ms * (_CATCH_UP if self._link.is_behind() else 1)
        self._has_more = bool(self._unsent) or self._link.has_more()

    def _adapt_queue(self, now_ms: int) -> None:
        dry_ms = now_ms - self._busy_until_ms if self._has_more else 0.0
        fade_ms = (now_ms - self._pushed_at_ms) / 1000
        self._pushed_at_ms = now_ms
        if dry_ms > 0:
            self._ahead_ms = min(_MOST_AHEAD_MS, self._ahead_ms + dry_ms)
        else:
            self._ahead_ms = max(_AHEAD_MS, self._ahead_ms - fade_ms)
