"""QR codes, including those for phones, drawn on threads so that the screen never waits."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import structlog

from kiosk.view.table_view import ParcelCode, TextCode

_log = structlog.get_logger()
_CORRECTION = "m"
"""The error correction: 15 % of a code may be unreadable, because of a reflection or a thumb."""


def code_of(text: str) -> ParcelCode:
    # Import it late, as few terminals need it at startup.
    """Return the QR code of a text."""
    import segno

    made = segno.make_qr(text, error=_CORRECTION, boost_error=False)
    rows = tuple(int("".join(map(str, row)), 2) for row in made.matrix)
    return ParcelCode(len(rows), rows)


class BackgroundCode:
    """The code of a text that changes. ``wake`` wakes the loop, and is called on any thread."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._pool = ThreadPoolExecutor(1, "code")
        self._text = ""
        self._drawing: Future[TextCode | None] | None = None

    def advance(self, text: str) -> None:
        """Draw the code of a new text; an empty one has none."""
        if text == self._text:
            return
        self._text, self._drawing = text, None
        if text:
            self._drawing = self._pool.submit(_draw, text)
            self._drawing.add_done_callback(lambda _: self._wake())

    def view(self) -> TextCode | None:
        drawing = self._drawing
        return drawing.result() if drawing is not None and drawing.done() else None

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)


def _draw(text: str) -> TextCode | None:
    try:
        return TextCode(text, code_of(text))
    except Exception:  # noqa: BLE001 (any error, as no table depends on these codes)
        _log.exception("cannot draw a code for phones")
        return None
